import { expect, test } from "vitest";
import { STATS_PATH } from "#contract/paths.ts";
import { verifyTotals } from "#core/waitlist/totals.ts";
import { post } from "#tests/support/post.ts";
import { aVersion1SignUp, releaseAt, VERSION_1 } from "#tests/support/release.ts";
import { startScratchSmtp } from "#tests/support/scratch-smtp.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { type RunningServer, startServer } from "#tools/dev/running-site.ts";

const context = useTestDatabase();
async function totalUsers({ origin }: RunningServer): Promise<number> {
  const { data } = await (await fetch(origin + STATS_PATH)).json();
  return data.totalUsers;
}

test("version 1.0.0 accepts sign-ups on the current schema, alongside the current server", async () => {
  const oldRelease = releaseAt(VERSION_1);
  const servers: RunningServer[] = [];
  try {
    for (const folder of [oldRelease.folder, "."])
      servers.push(await startServer({ DATABASE_URL: context.url }, [], folder));
    const [old, current] = servers as [RunningServer, RunningServer];

    const ada = aVersion1SignUp({ company: "Acme, Inc.", newsletter: true });
    expect((await post(old.origin, ada)).status).toBe(201);
    expect((await post(current.origin, ada)).status).toBe(409);
    const bob = aVersion1SignUp({ company: "Acme" });
    expect((await post(current.origin, bob)).status).toBe(201);
    expect((await post(old.origin, bob)).status).toBe(409);

    for (const server of servers) await expect.poll(() => totalUsers(server), { timeout: 3000 }).toBe(2);
    expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 2 } });
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    oldRelease.remove();
  }
}, 60_000);

test("version 1.0.0 sends mail on the current schema, and the current worker sends what it leaves behind", async () => {
  const oldRelease = releaseAt(VERSION_1);
  const smtp = await startScratchSmtp();
  const env = {
    DATABASE_URL: context.url,
    SMTP_URL: smtp.url,
    SECRET: "an example secret of 32 characters",
    PUBLIC_ORIGIN: "https://farwatch.example",
  };
  const recipients = () => smtp.mails.map(({ to }) => to?.[0]?.address);
  const [sent, left] = [aVersion1SignUp(), aVersion1SignUp()];
  try {
    const old = await startServer(env, [], oldRelease.folder);
    await post(old.origin, sent);
    await expect.poll(recipients, { timeout: 20_000 }).toEqual([sent.email]);
    smtp.refuseWith = "451";
    await post(old.origin, left);
    const isQueued = async () =>
      (await context.db.selectFrom("sign_ups").select("mails").where("email", "=", left.email).executeTakeFirst())
        ?.mails;
    await expect.poll(isQueued, { timeout: 20_000 }).toBe(1);
    await old.stop();
    smtp.refuseWith = undefined;
    const current = await startServer(env);
    await expect.poll(recipients, { timeout: 60_000 }).toEqual([sent.email, left.email]);
    await current.stop();
  } finally {
    await smtp.stop();
    oldRelease.remove();
  }
}, 120_000);
