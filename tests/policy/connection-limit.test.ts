import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MAX_CONNECTIONS, MAX_MAIL_CONNECTIONS, MAX_MEMBER_CONNECTIONS, READS } from "#core/database/connect.ts";

/** PostgreSQL's default for max_connections, which Debian keeps. */
const POSTGRES_CONNECTIONS = 100;

/** The connections of a server, of a server that also sends mail, and of a separate worker. */
const SERVER = MAX_CONNECTIONS + MAX_MEMBER_CONNECTIONS;
const MAILING_SERVER = SERVER + MAX_MAIL_CONNECTIONS;
const WORKER = MAX_CONNECTIONS;

test("the roles' connection limits fit two servers and their mail, and leave half of PostgreSQL's connections free", () => {
  const guide = readFileSync("docs/operations.md", "utf8");
  const limitOf = (role: string) => Number(new RegExp(`createuser --connection-limit=(\\d+) ${role}`).exec(guide)?.[1]);
  const [serve, work] = [limitOf("farwatch_serve"), limitOf("farwatch_work")];
  expect(serve).toBeGreaterThan(2 * MAILING_SERVER);
  expect(work).toBeGreaterThan(WORKER);
  expect(serve + work).toBeLessThanOrEqual(POSTGRES_CONNECTIONS / 2);
  expect(guide).toContain(
    `A server uses up to ${SERVER} connections, or ${MAILING_SERVER} if it sends mail, and a mail worker ${WORKER};`,
  );
  const team = limitOf("farwatch_console");
  expect(team).toBeGreaterThan(MAX_CONNECTIONS + READS.maxConnections);
  const compose = readFileSync("deploy/postgres/create-roles.sh", "utf8");
  for (const [name, limit] of Object.entries({ serve, work, console: team }))
    expect(compose).toContain(`alter role farwatch_${name} password :'${name}' connection limit ${limit};`);
});

test("the connections in deploy/ha/patroni.yaml cover two servers and a mail worker on each of three machines", () => {
  const patroni = readFileSync("deploy/ha/patroni.yaml", "utf8");
  const used = 3 * (2 * SERVER + WORKER);
  expect(patroni).toContain(`Two servers and a mail worker on each of three machines use up to ${used},`);
  const guide = readFileSync("docs/high-availability.md", "utf8");
  const limitOf = (role: string) => Number(new RegExp(`${role} .*connection limit (\\d+)`).exec(guide)?.[1]);
  expect(limitOf("farwatch_serve")).toBeGreaterThan(3 * 2 * SERVER);
  expect(limitOf("farwatch_work")).toBeGreaterThan(3 * WORKER);
  const limits = limitOf("farwatch_serve") + limitOf("farwatch_work");
  expect(Number(/max_connections: (\d+)/.exec(patroni)?.[1])).toBeGreaterThan(limits);
});
