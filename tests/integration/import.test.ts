import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { readActivity } from "#core/activity/activity.ts";
import { createKeys } from "#core/config/keys.ts";
import { stopConfirmations } from "#core/mail/queue/flag-mail.ts";
import { confirmAddress, setNewsletter } from "#core/members/member.ts";
import { countMatching } from "#core/people/filter.ts";
import { erase } from "#core/retention/erase.ts";
import { importPeople, previewImport, readImports } from "#core/transfer/import.ts";
import { sentences } from "#tests/support/activity.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { SECRET, useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { inTransaction } from "#tests/support/in-transaction.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { MAIL_ON, switchMail } from "#tests/support/mail-on.ts";
import { addPeople, listPeople } from "#tests/support/people.ts";
import { setAllAside } from "#tests/support/set-aside.ts";
import { aSignUp, cameFrom, keyOf } from "#tests/support/sign-ups.ts";

const operator = useOperator();
beforeEach(() => switchMail(operator.db, true));
const FAIR = ["--source", "Trade fair"];
const importFile = (file: string, ...args: string[]) => waitlist("import", file, ...FAIR, ...args);
const csv = (text: string | Buffer) => operator.aFile("people.csv", text);
const COLUMNS = "email, first_name, last_name, company, newsletter, mail_network, utm";
const people = async () => (await operator.db.pool.query(`select ${COLUMNS} from sign_ups order by id`)).rows;

test("a dry run says what would happen with each row; nobody who left, complained or was erased comes back", async () => {
  const names = ["known", "left", "silent", "bounced"].map((name) => ({ email: `${name}@example.com` }));
  const [, left = "", silent = ""] = await addPeople(
    operator.db,
    names.map((each) => ({ ...each, confirmed: false })),
  );
  await setNewsletter(operator.db, null, left, false);
  await stopConfirmations(operator.db, { id: silent, email_key: keyOf("silent@example.com") });
  await sql`update sign_ups set suppressed_at = now() where email like 'bounced%'`.execute(operator.db);
  await erase(operator.db, null, keyOf("erased@example.com"), createKeys(SECRET));
  const before = await people();
  const rows = ["new", "NEW", "known", "left", "silent", "bounced", "erased", "Erased", "no address"];
  const file = csv(
    `Email;Name\n${rows.map((name) => `${name}@example.com;Ada Lovelace\n`).join("")}x@example.com;Ada\n`,
  );
  const findings =
    "new, known, known, unsubscribed, unsubscribed, suppressed, erased before, erased before, invalid, invalid".split(
      ", ",
    );
  const dry = await waitlistJson("import", file, ...FAIR, "--dry-run");
  expect(dry.map(({ row, finding }: { row: number; finding: string }) => `${row} ${finding}`)).toEqual(
    findings.map((finding, index) => `${index + 2} ${finding}`),
  );
  expect(await people()).toEqual(before);
  expect((await importFile(file, "--yes")).stdout).toContain("Imported 1 person.");
  expect((await people()).slice(0, -1)).toEqual(before);
  expect(await people()).toHaveLength(before.length + 1);
});

const TEXT = 'First name,Last name,E-mail,Company\n"Zoë","\'=cmd()",zoe@example.com,"\u202EAcme"\n';
test.each([
  ["UTF-8", Buffer.from(TEXT)],
  ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${TEXT}`)],
  ["UTF-16", Buffer.from(`\uFEFF${TEXT}`, "utf16le")],
  ["big-endian UTF-16", Buffer.from(`\uFEFF${TEXT}`, "utf16le").swap16()],
  ["Latin-1", Buffer.from(TEXT.replace("\u202E", ""), "latin1")],
])("reads %s; without a wording, nobody is subscribed", async (encoding, bytes) => {
  expect((await importFile(csv(bytes), "--yes")).code).toBe(0);
  const company = encoding === "Latin-1" ? "Acme" : "\u202EAcme";
  const name = { email: "zoe@example.com", first_name: "Zoë", last_name: "=cmd()", company };
  const from = { source: "Trade fair", import: "imported" };
  expect(await people()).toEqual([{ ...name, newsletter: false, mail_network: 0, utm: from }]);
  expect((await waitlist("show", "zoe@example.com")).stdout).not.toContain("\u202E");
  expect((await waitlist("export")).stdout).toContain(`"'=cmd()"`);
});

test("stores the wording that people agreed to", async () => {
  const wording = operator.aFile("wording.txt", "Keep me posted.\n");
  await importFile(
    csv("email,name\nada@example.com,Ada Lovelace\nbob@example.com,Bob Hope\n"),
    "--wording",
    wording,
    "--yes",
  );
  const { rows } = await sql`
    select wording, version from consents join consent_wordings on version = wording_version`.execute(operator.db);
  expect(rows).toEqual(Array(2).fill({ wording: "Keep me posted.", version: -1 }));
  expect((await waitlist("verify")).code).toBe(0);
});

test("two imports at once store each its own wording", async () => {
  const { db } = operator;
  const found = await previewImport(db, createKeys(SECRET), "email,name\nada@example.com,Ada Lovelace\n", "Fair");
  if ("unreadable" in found) throw new Error(found.unreadable);
  const { imported } = await inTransaction(db.pool, async (client) => {
    await client.query("insert into consent_wordings select min(version) - 1, 'Theirs' from consent_wordings");
    const imported = importPeople(db, OPERATOR, found.rows, { wording: "Ours", mail: undefined });
    await untilBlocked(db);
    return { imported };
  });
  expect(await imported).toBe(1);
  const { rows } = await db.pool.query("select wording from consent_wordings order by version limit 2");
  expect(rows).toEqual([{ wording: "Ours" }, { wording: "Theirs" }]);
});

test("an import is taken back except for people who have since confirmed, or signed up themselves", async () => {
  const names = ["ada", "bob", "cy", "dee"];
  const file = csv(`email,name,company\n${names.map((name) => `${name}@example.com,Ada Lovelace,Acme\n`).join("")}`);
  const signUp = (email: string) => operator.join(aSignUp({ email, company: "Acme" }), null, { origin });
  const origin = cameFrom({ source: "Trade fair" });
  const listed = async () => (await listPeople(operator.db, {}, 9)).map(({ email }) => email.split("@")[0]).sort();
  const takeBack = () => setAllAside(operator.db, { import: "Trade fair" }, false);
  await signUp("eve@example.com");
  await importFile(file, "--yes");
  expect(await readImports(operator.db)).toMatchObject([{ source: "Trade fair", people: 4 }]);
  expect(await countMatching(operator.db, { import: "Trade" })).toBe(0);

  const undo = await takeBack();
  expect(await listed()).toEqual(["eve"]);
  expect(await readImports(operator.db)).toEqual([]);
  expect((await waitlist("verify")).code).toBe(0);
  expect(await undo()).toBe(4);

  const [bob] = await listPeople(operator.db, { search: "bob" }, 1);
  await confirmAddress(operator.db, bob?.id ?? "");
  expect(await signUp("CY@example.com")).toEqual({ kind: "already-joined" });
  await importFile(file, "--yes");
  await takeBack();
  expect(await listed()).toEqual(["bob", "cy", "eve"]);
  expect((await waitlist("verify")).code).toBe(0);
  expect(await sentences(operator.db)).toEqual([
    "set 2 people aside",
    "brought 4 people back",
    "set 4 people aside",
    "imported 4 people",
  ]);
});

test("a sign-up whose import couldn't be forgotten isn't answered as a duplicate, and fails nobody else's", async () => {
  await importFile(csv("email,name\nada@example.com,Ada Lovelace\n"), "--yes");
  await operator.db.pool.query(`
    create function fails() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$;
    create trigger fails before update of utm on sign_ups execute function fails()`);
  const [known, fresh] = await Promise.allSettled(
    ["ada@example.com", "new@example.com"].map((email) => operator.join(aSignUp({ email }), null)),
  );
  await operator.db.pool.query("drop trigger fails on sign_ups; drop function fails");
  expect(known).toMatchObject({ status: "rejected", reason: { message: "disk full" } });
  expect(fresh).toMatchObject({ status: "fulfilled", value: { kind: "joined" } });
});

test("counts and records only the people whom it put on the list, in the transaction that did", async () => {
  const file = "email,name\na@x.com,A B\nb@x.com,A B\n";
  const found = await previewImport(operator.db, createKeys(SECRET), file, "Fair");
  if ("unreadable" in found) throw new Error(found.unreadable);
  await operator.join(aSignUp({ email: "a@x.com" }), null);
  const importRows = () => importPeople(operator.db, OPERATOR, found.rows, { wording: undefined, mail: MAIL_ON });
  const counts = async () => (await readActivity(operator.db, { limit: 9 })).entries.map(({ count }) => count);
  await operator.db.pool.query(`
    create function fails() returns trigger language plpgsql as $$ begin raise 'disk full'; end $$;
    create trigger fails before insert on sign_ups execute function fails()`);
  await expect(importRows()).rejects.toThrow("disk full");
  await operator.db.pool.query("drop trigger fails on sign_ups; drop function fails");
  expect(await counts()).toEqual([]);
  expect(await importRows()).toBe(1);
  expect(await counts()).toEqual([1]);
});

test("imports the rest of a file after an interruption, and mails each of them once", async () => {
  const rows = Array.from({ length: 2500 }, (_, index) => `p${index}@example.com,Ada,Lovelace\n`);
  const header = "email,first name,last name\n";
  await importFile(csv(header + rows.slice(0, 1000).join("")), "--yes");
  expect((await importFile(csv(header + rows.join("")), "--yes")).stdout).toContain("Imported 1,500 people.");
  expect(
    (await sql`select from sign_ups where mail_network is not null and not newsletter`.execute(operator.db)).rows,
  ).toHaveLength(2500);
});

test("vacuums and analyzes the list after an import, so that counting it stays fast", async () => {
  await importFile(csv("email,name\nada@example.com,Ada Lovelace\n"), "--yes");
  const { rows } = await sql`
    select relallvisible = relpages as "isVacuumed", exists (select from pg_stats where tablename = relname) as "isAnalyzed"
    from pg_class where relname = 'sign_ups'`.execute(operator.db);
  expect(rows).toEqual([{ isVacuumed: true, isAnalyzed: true }]);
});
