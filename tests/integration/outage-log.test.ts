import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { STATS_PATH } from "#contract/paths.ts";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { post } from "#tests/support/post.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";

test("an outage of the database is one log line at its start and one at its end, and farwatch_database_up is 0", async () => {
  const postgres = await startScratchPostgres();
  onTestFinished(postgres.stop);
  await migrateDatabase(postgres.url);
  const privatePort = await freePort();
  const server = await startServer({
    DATABASE_URL: postgres.url,
    PRIVATE_PORT: String(privatePort),
    DRAIN_MS: "0",
    SECRET: "a secret of at least 32 characters",
    PUBLIC_ORIGIN: "https://farwatch.example",
    // The mail worker runs in the server. Nobody joins, so it sends nothing.
    SMTP_URL: "smtp://127.0.0.1:1",
  });
  onTestFinished(server.stop);
  const isUp = async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${privatePort}/metrics`)).text();
    return /^farwatch_database_up (\d)$/m.exec(metrics)?.[1];
  };
  const problems = () =>
    server
      .log()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level >= 40)
      .map(({ level, msg }) => [level, msg]);
  await fetch(server.origin + STATS_PATH);
  expect(await isUp()).toBe("1");

  process.kill(postgres.pid(), "SIGINT");
  for (let attempt = 0; attempt < 50; attempt += 1) {
    await Promise.all([post(server.origin), fetch(server.origin + STATS_PATH), pause(100)]);
  }
  expect(await isUp()).toBe("0");
  expect(problems()).toEqual([[50, "Database outage: writes are refused until it is over"]]);

  await postgres.restart();
  await expect.poll(isUp, { timeout: 15_000, interval: 500 }).toBe("1");
  expect((await post(server.origin, aSignUp({ website: "bot" }))).status).toBe(201);
  expect(problems().slice(1)).toEqual([[40, "Database outage over"]]);
}, 60_000);
