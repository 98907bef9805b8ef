import { once } from "node:events";
import { type AddressInfo, connect as openSocket } from "node:net";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { MEMBERSHIP_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { createKeys } from "#core/config/keys.ts";
import { memberToken } from "#core/members/links.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { createApp } from "#server/app.ts";
import { requestBytes } from "#tests/support/exchange.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const keys = createKeys("a secret of at least 32 characters");
const context = useTestDatabase();

test("a client that doesn't read its response is disconnected after 30 seconds, and meanwhile uses no database connection", async () => {
  const app = await createApp({ db: context.db, ...unlimited, keys });
  onTestFinished(() => app.close());
  await app.listen();
  await recordConsentWording(context.db);
  await app.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp() });
  // Some 20 MB, more than the kernel buffers.
  await sql`
    insert into consents (sign_up_id, wording_version, given, at)
    select id, ${NEWSLETTER_CONSENT.version}, n % 2 = 1, now() + n * interval '1 microsecond' from sign_ups, generate_series(1, 100000) as n`.execute(
    context.db,
  );
  await sql`analyze consents`.execute(context.db);
  const member = await context.db.selectFrom("sign_ups").select(["id", "email_key"]).executeTakeFirstOrThrow();
  const path = `${MEMBERSHIP_PATH}/${memberToken(keys, member, new Date(Date.now() + 600_000))}/data`;

  const socket = openSocket((app.server.address() as AddressInfo).port, "localhost");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  socket.write(requestBytes({ path }));
  await once(socket, "readable");
  const startedAt = performance.now();
  const connections = () =>
    new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count)));
  expect(await connections()).toBe(1);
  const busy = () => context.db.pool.totalCount - context.db.pool.idleCount;
  await expect.poll(busy, { timeout: 10_000 }).toBe(0);

  await expect.poll(connections, { timeout: 45_000, interval: 250 }).toBe(0);
  const seconds = (performance.now() - startedAt) / 1000;
  expect(seconds).toBeGreaterThan(10);
  expect(seconds).toBeLessThan(33);
  expect(busy()).toBe(0);
}, 90_000);
