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
import { runCommand } from "#tests/support/run-command.ts";
import { type ScratchSmtp, startScratchSmtp } from "#tests/support/scratch-smtp.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const SECRET = "an operator's secret of 32 letters";
const { db, url } = useLeastPrivilege();

let folder: string;
let smtp: ScratchSmtp;
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
  smtp = await startScratchSmtp();
  for (const email of ["one@example.com", "two@example.com"]) await join(aSignUp({ email, website: "x" }), null);
  // The sent_at keeps `mail status` from reporting a missing worker; the failed email is for `mail retry`.
  await db.farwatch.pool.query(
    `insert into deliveries (message_id, sign_up_id, state, sent_at)
     select 1, id, 'failed', now() from sign_ups where email_key = 'ada@example.com'`,
  );
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await smtp.stop();
});

/** Run in this order. Every command must be listed, except the owner's. */
const COMMANDS: [command: string, ...args: string[]][] = [
  ["status"],
  ["list"],
  ["show", "ada@example.com"],
  ["export", "--out", "list.csv"],
  ["message new", "--subject", "News", "--body", "news.md"],
  ["message edit", "3", "--subject", "More news"],
  ["message preview", "3", "--out", "news.html"],
  ["message test", "3", "me@example.com"],
  ["message send", "3", "--yes"],
  ["message pause", "3"],
  ["message resume", "3"],
  ["message cancel", "3", "--yes"],
  ["message status", "3"],
  ["invite", "--next", "1", "--no-confirmed", "--yes"],
  ["invite", "--next", "1", "--send", "--body", "news.md", "--yes"],
  ["erase", "eve@example.com", "--yes"],
  ["erasures save", "erasures.jsonl"],
  ["erasures apply", "erasures.jsonl"],
  ["quarantine list"],
  ["quarantine release", "1"],
  ["quarantine drop", "2", "--yes"],
  ["mail retry"],
  ["mail status"],
  ["list", "--search", "lovelace"],
  ["link", "ada@example.com"],
  ["edit", "ada@example.com", "--company", "Initech"],
  ["unsubscribe", "ada@example.com"],
  ["uninvite", "ada@example.com", "--yes"],
  ["acceptance-secret"],
  ["suppressions export", "--out", "suppressions.csv"],
  ["suppressions import", "suppressions.csv", "--as", "complained", "--yes"],
  ["suppressions resume", "ses", "--undo-since", "2026-11-30"],
  ["import", "people.csv", "--source", "fair", "--wording", "news.md", "--yes"],
  ["unimport", "fair"],
  ["webhooks add", "https://crm.example/webhook"],
  ...["test", "pause", "resume", "rotate", "deliveries"].map(
    (change) => [`webhooks ${change}`, "1"] as [string, string],
  ),
  ["webhooks resend", "1", "--since", "2026-11-30"],
  ["webhooks list"],
  ["webhooks remove", "1"],
  ["record", "verify"],
  ["verify"],
  ["purge", "--yes"],
  ["activity"],
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
    SMTP_URL: smtp.url,
    HOOK_HOSTS: "crm.example",
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
    stderr: expect.stringContaining("The database refused: permission denied for table erasures."),
  });
});
