import { execFile } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { promisify } from "node:util";
import { sql } from "kysely";
import { describe, expect, inject, test } from "vitest";
import { confirmAddress, setNewsletter } from "#core/members/member.ts";
import { readTotals } from "#core/people/totals.ts";
import { useOperator, waitlist, waitlistJson, waitlistWith } from "#tests/support/cli.ts";
import { createDatabase, dropDatabase } from "#tests/support/databases.ts";
import { switchMail } from "#tests/support/mail-on.ts";
import { sendNews } from "#tests/support/messages.ts";
import { runNode } from "#tests/support/run-node.ts";
import { aSignUp, cameFrom } from "#tests/support/sign-ups.ts";

const operator = useOperator();

describe("wrong usage exits with 2 and says what to do", () => {
  test.each([
    [["shwo"], "Did you mean show?"],
    [["export", "--since", "2026-02-31"], "Use a date like 2026-11-30 or 2026-11-30T18:00."],
    [["export", "--wave", "first"], "Use an ID like 12."],
  ])("%j", async (args, advice) => {
    const { code, stderr, stdout } = await waitlist(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(advice);
  });

  test("erase without a terminal needs --yes", async () => {
    const ada = aSignUp();
    await operator.join(ada, null);
    const { code, stderr } = await waitlist("erase", ada.email);
    expect(code).toBe(2);
    expect(stderr).toContain("Add --yes");
    expect((await readTotals(operator.db.pool)).totalUsers).toBe(1);
  });

  test("a schema older than the code needs migrate", async () => {
    const url = await createDatabase(inject("templateUrl"));
    expect(await waitlistWith({ DATABASE_URL: url }, "status")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Run: npx waitlist migrate"),
    });
    await dropDatabase(url);
  });
});

test("Node's compile cache is in the operator's own folder, and optional", async () => {
  const [home, tmp] = [joinPath(operator.folder, "home"), joinPath(operator.folder, "tmp")];
  await mkdir(tmp);
  const help = (HOME: string) => runNode("cli/waitlist.ts", { HOME, TMPDIR: tmp, NODE_COMPILE_CACHE: "" }, ["--help"]);
  expect(await help(home)).toMatchObject({ code: 0 });
  expect(await readdir(joinPath(home, ".cache", "waitlist"))).toHaveLength(1);
  expect(await readdir(tmp)).toEqual([]);
  expect(await help("/dev/null")).toMatchObject({ code: 0, stderr: "" });
});

test("a reader that closes the pipe early, such as head, isn't an error", async () => {
  const { stderr } = await promisify(execFile)("sh", ["-c", `"${process.execPath}" cli/waitlist.ts --help | true`]);
  expect(stderr).toBe("");
});

test("a database that can't be reached or refuses the password exits with 3, an unwritable file with 2", async () => {
  const status = (DATABASE_URL: string) => waitlistWith({ DATABASE_URL }, "status");
  const unreachable = await status("postgres://nobody:secret@127.0.0.1:1/nothing");
  expect(unreachable).toMatchObject({ code: 3, stderr: expect.stringMatching(/^The database can't be reached: /) });
  expect(unreachable.stderr).not.toContain("secret");
  const refused = await status(Object.assign(new URL(operator.url), { password: "wrong" }).href);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("password authentication failed") });
  const file = await waitlist("export", "--out", joinPath(operator.folder, "nowhere", "list.csv"));
  expect(file).toMatchObject({ code: 2, stderr: expect.stringContaining("ENOENT") });
});

test("status and show agree on confirmed, suppressed, unsubscribed and erased", async () => {
  const emails = ["ada@example.com", "bob@example.com", "cy@example.com", "eve@example.com"] as const;
  const [confirmed, suppressed, unsubscribed, erased] = emails;
  for (const email of emails) {
    await operator.join(aSignUp({ email, newsletter: true, company: "Acme" }), null, {
      origin: cameFrom({ source: "news" }),
    });
  }
  const show = async (email: string) => waitlistJson("show", email.toUpperCase());
  await confirmAddress(operator.db, (await show(confirmed)).signUp.id);
  await sql`update sign_ups set suppressed_at = now() where email = ${suppressed}`.execute(operator.db);
  await setNewsletter(operator.db, null, (await show(unsubscribed)).signUp.id, false);
  await waitlist("erase", erased, "--yes");
  await sendNews(operator.db);

  const counted = { newsletter: 2, confirmed: 1, suppressed: 1, unsubscribed: 1, erased: 1 };
  const totals = { totalUsers: 3, companiesInterested: 1, lastDay: 3, lastWeek: 3 };
  const lastWeekFunnel = { views: 0, joined: 3, confirmed: 1, invited: 0, accepted: 0, hasPartialViews: false };
  expect(await waitlistJson("status")).toMatchObject({ ...totals, ...counted, lastWeekFunnel });
  expect((await waitlist("status")).stdout).toMatch(
    /Last 7 days +0 views, 3 joined, 1 confirmed \(33%\), 0 invited \(0%\), 0 accepted$/m,
  );
  expect(await show(confirmed)).toMatchObject({
    signUp: { email: confirmed, utm: { source: "news" } },
    consents: [{ given: true, wording: expect.stringContaining("product news") }],
    deliveries: [{ subject: "News", state: "pending" }],
  });
  expect((await waitlist("show", suppressed)).stdout).toMatch(/^Suppressed +\d{4}/m);
  expect((await waitlist("show", confirmed)).stdout).toMatch(/News\s+pending/);
  expect(await waitlist("show", erased)).toMatchObject({ code: 1, stdout: `No data stored for ${erased}.\n` });
});

test("show says which emails someone may get, why not, and what became of those they were due", async () => {
  await operator.join(aSignUp({ email: "ada@example.com" }), null);
  const show = async () => (await waitlist("show", "ada@example.com")).stdout;
  expect(await show()).toMatch(/^Mail +off, so nobody gets any$/m);
  await switchMail(operator.db, true);
  await operator.db.pool.query("update sign_ups set mail_network = 0");
  const unconfirmed = await show();
  expect(unconfirmed).toMatch(/^Mail +on\nAsked for an email +yes, which waits for the mail worker\n/m);
  expect(unconfirmed).toMatch(/^May be asked to confirm +yes$/m);
  for (const mail of ["be invited by email", "get announcements"])
    expect(unconfirmed).toMatch(new RegExp(`^May ${mail} +no: address not confirmed$`, "m"));
  const change = (values: string) => operator.db.pool.query(`update sign_ups set ${values}`);
  await change("confirmed_at = now(), mail_network = null");
  await operator.db.pool.query(`
    insert into deliveries (message_id, sign_up_id, state, reason, tried_at)
    select 1, id, 'failed', 'expired', '2026-11-15 18:00Z' from sign_ups`);
  const confirmed = await show();
  expect(confirmed).not.toContain("Asked for an email");
  expect(confirmed).toMatch(/^confirmation +failed: tried for two days +– +2026-11-15 18:00$/m);
  expect(confirmed).toMatch(/^May be invited by email +yes$/m);
  expect(confirmed).toMatch(/^May get announcements +no: not subscribed$/m);
  await change("invited_at = now()");
  expect(await show()).toMatch(/^May be invited by email +no: already invited$/m);
  await change("suppressed_at = now()");
  expect((await show()).match(/ no: address suppressed$/gm)).toHaveLength(3);
});

describe("verify exits with 1 and names what is wrong", () => {
  test.each([
    ["a wrong total", sql`update totals set users = users + 1 where slot = 0`, "People "],
    ["a wrong company count", sql`update companies set sign_ups = 5`, "Companies with a wrong sign-up count"],
    [
      "a consent without a sign-up",
      sql`insert into consents (sign_up_id, wording_version, given) values (0, 1, true)`,
      "Consents without a sign-up",
    ],
    ["a newsletter setting without consent", sql`update sign_ups set newsletter = not newsletter`, "Newsletter set"],
  ])("%s", async (_name, damage, line) => {
    await operator.join(aSignUp({ company: "Acme", newsletter: true }), null);
    expect((await waitlist("verify")).code).toBe(0);
    await damage.execute(operator.db);
    const { code, stdout } = await waitlist("verify");
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`^${line}.*WRONG$`, "m"));
  });
});

test("verify names columns that today's rules derive differently, and --repair derives them again", async () => {
  const join = (name: string, company: string) => operator.join(aSignUp({ email: `${name}@x.com`, company }), null);
  for (const [name, company] of Object.entries({ ada: "Acme", bob: "ACME, Inc.", cy: "Initech", di: "" }))
    await join(name, company);
  // Simulates rows from older rules. A second Di joins below, so repairing the first would duplicate her key.
  await operator.db.pool.query(`
    update sign_ups set company_key = 'acme inc', search_words = 'BOB' where email_key = 'bob@x.com';
    update sign_ups set email_key = upper(email_key) where email_key in ('cy@x.com', 'di@x.com');
    update companies set sign_ups = 1 where key = 'acme';
    insert into companies values ('acme inc', 1);
    update totals set companies = companies + 1 where slot = 0`);
  await join("di", "");
  const before = { outdated: { email_key: 2, company_key: 1, search_words: 1 }, isExact: false };
  expect(JSON.parse((await waitlist("verify", "--json")).stdout)).toMatchObject(before);
  const latecomers = Array.from({ length: 20 }, (_, number) => join(`late-${number}`, "Acme"));
  const [repaired] = await Promise.all([waitlist("verify", "--repair"), ...latecomers]);
  expect(repaired.stdout.match(/^.*WRONG$/gm)).toEqual([
    expect.stringMatching(/^People with an outdated email key +0 +1 /),
  ]);
  expect(await readTotals(operator.db.pool)).toMatchObject({ companiesInterested: 2 });
});
