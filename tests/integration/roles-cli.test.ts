import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createProgram } from "#cli/program.ts";
import { readMailStatus } from "#core/mail/queue/status.ts";
import { createOverview } from "#core/overview/overview.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import { readTotals } from "#core/people/totals.ts";
import { openWaitlist } from "#core/sign-ups/join.ts";
import { useLeastPrivilege } from "#tests/support/least-privilege.ts";
import { switchMail } from "#tests/support/mail-on.ts";
import { INVITE } from "#tests/support/mail-worker.ts";
import { runCommand } from "#tests/support/run-command.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const SECRET = "an operator's secret of 32 letters";
const { db, url } = useLeastPrivilege();

let folder: string;
beforeAll(async () => {
  const server = db.farwatch_serve;
  await recordConsentWording(server);
  await switchMail(server, true);
  const { join } = openWaitlist(server, { maxQueueLength: 100, totals: () => readTotals(server.pool) });
  folder = await mkdtemp(joinPath(tmpdir(), "farwatch-roles-"));
  for (const email of ["ada@example.com", "bob@example.com", "eve@example.com"])
    await join(aSignUp({ email, company: "Acme", newsletter: true }), null);
  await writeFile(joinPath(folder, "news.md"), "Hi {{firstName}}");
  await writeFile(joinPath(folder, "people.csv"), "email,name,company\ngrace@example.com,Grace Hopper,Acme\n");
  await db.farwatch.pool.query("update sign_ups set confirmed_at = now() where email_key <> 'ada@example.com'");
  await db.farwatch.pool.query("insert into console_operators values ('i', 's', 'ada@example.com')");
  // The sent_at keeps `mail status` from reporting a missing worker; the failed email is for `mail retry`.
  await db.farwatch.pool.query(
    `insert into deliveries (message_id, sign_up_id, state, sent_at)
     select 1, id, 'failed', now() from sign_ups where email_key = 'ada@example.com'`,
  );
});
afterAll(() => rm(folder, { recursive: true }));

/** Run in this order. Every command must be listed, except the owner's. */
const COMMANDS: [command: string, ...args: string[]][] = [
  ["status"],
  ["show", "ada@example.com"],
  ["export", "--out", "list.csv"],
  ["invite", "1", "--yes"],
  ["invite", "1", "--send", "--yes"],
  ["invite", "ada@example.com", "--yes"],
  ["erase", "eve@example.com", "--yes"],
  ["erasures save", "erasures.jsonl"],
  ["erasures apply", "erasures.jsonl"],
  ["mail retry"],
  ["mail status"],
  ["suppressions export", "--out", "suppressions.csv"],
  ["suppressions import", "suppressions.csv", "--as", "complained", "--yes"],
  ["suppressions resume", "ses", "--undo-since", "2026-11-30"],
  ["import", "people.csv", "--source", "fair", "--wording", "news.md", "--yes"],
  ["record", "verify"],
  ["verify"],
  ["purge", "--yes"],
  ["console roles", "set", "@example.com", "viewer"],
  ["console roles", "remove", "@example.com"],
  ["console roles"],
  ["console sign-out", "--all"],
  ["console forget", "ada@example.com"],
];
const OWNERS_COMMANDS = ["migrate"];
const OTHERS = ["mail check"];

test.each(COMMANDS)("farwatch_operate may run `waitlist %s`", async (command, ...args) => {
  const paths = args.map((arg) => (/\.\w+$/.test(arg) && !arg.includes("@") ? joinPath(folder, arg) : arg));
  const env = {
    DATABASE_URL: url.farwatch_operate,
    SECRET,
    PUBLIC_ORIGIN: "https://farwatch.test",
    LAUNCH_DATE: "2020-01-01",
    ...INVITE,
  };
  expect(await runCommand(env, [...command.split(" "), ...paths])).toMatchObject({
    stderr: expect.not.stringContaining("refused"),
    code: 0,
  });
});

test("farwatch_operate may read the console's overview and store its figures", async () => {
  const overview = createOverview(db.farwatch_operate, { maxLiveMs: 1, longList: 0 });
  await expect.poll(async () => (await overview.read("7d")).countedAt, { timeout: 10_000 }).not.toBeNull();
  await overview.stop();
  expect(await readMailStatus(db.farwatch_operate)).toMatchObject({ perMinute: 0 });
});

test("every command was run as farwatch_operate, or is the owner's", () => {
  const leaves = (command: Command, path: string[] = []): string[] =>
    command.commands.length
      ? command.commands.flatMap((each) => leaves(each, [...path, each.name()]))
      : [path.join(" ")];
  const covered = new Set([...COMMANDS.map(([command]) => command), ...OWNERS_COMMANDS, ...OTHERS]);
  expect(leaves(createProgram()).sort()).toEqual([...covered].sort());
});

test("a command that a role may not run exits with 2 and says why", async () => {
  const env = { DATABASE_URL: url.farwatch_serve, SECRET };
  expect(await runCommand(env, ["status"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("The database refused: permission denied for table waves."),
  });
});
