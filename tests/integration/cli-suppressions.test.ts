import { readFile, stat, writeFile } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { describe, expect, test } from "vitest";
import { setNewsletter } from "#core/members/member.ts";
import { verifyConsents } from "#core/sign-ups/verify-consents.ts";
import { useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { addMany } from "#tests/support/people.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

async function aFile(text: string): Promise<string> {
  const file = joinPath(operator.folder, "suppressions.csv");
  await writeFile(file, text);
  return file;
}

const people = () =>
  operator.db.selectFrom("sign_ups").select(["email", "newsletter", "rejected_at", "mail_due"]).orderBy("id").execute();

describe("suppressions import", () => {
  test("--as rejected marks people by address, once, and counts the rest; --dry-run marks nobody", async () => {
    const [ada, bob, eve] = [aSignUp({ email: "ada@bücher.example" }), aSignUp(), aSignUp()];
    for (const person of [ada, bob, eve]) await operator.join(person, null);
    await operator.db.updateTable("sign_ups").set({ mail_due: true }).execute();
    const file = await aFile(
      `created;Email Address;reason\n1;ADA@xn--bcher-kva.example;"said ""no"";\nnobody@example.com"\n2; ${bob.email} ;\n3;${bob.email.toUpperCase()};\n4;nobody@example.com;\n5;n/a;\n`,
    );
    const counts = { addresses: 3, onList: 2, already: 0, notOnList: 1, invalid: 1 };
    expect(await waitlistJson("suppressions", "import", file, "--as", "rejected", "--dry-run")).toEqual({
      ...counts,
      changed: 0,
    });
    expect(await waitlistJson("list", "--rejected")).toEqual([]);
    expect(await waitlistJson("suppressions", "import", file, "--as", "rejected", "--yes")).toEqual({
      ...counts,
      changed: 2,
    });
    const rejected_at = expect.any(Date);
    expect(await people()).toEqual([
      { email: ada.email, newsletter: false, rejected_at, mail_due: false },
      { email: bob.email, newsletter: false, rejected_at, mail_due: false },
      { email: eve.email, newsletter: false, rejected_at: null, mail_due: true },
    ]);
    const again = await waitlist("suppressions", "import", file, "--as", "rejected", "--yes");
    expect(again.code).toBe(0);
    expect(again.stdout.split("\n")).toEqual([
      "Addresses in the file    3",
      "On the list              2",
      "Already rejected         2",
      "Not on the list          1",
      "Rows without an address  1",
      "",
      "Marked 0 people as rejected.",
      "",
    ]);
  });

  test("--as accepted takes back a rejection, of the addresses in the file only", async () => {
    const [ada, bob, eve] = [aSignUp(), aSignUp(), aSignUp()];
    for (const person of [ada, bob, eve]) await operator.join(person, null);
    const bounces = await aFile(`${ada.email}\n${bob.email}\n`);
    await waitlist("suppressions", "import", bounces, "--as", "rejected", "--yes");
    const mistakes = await aFile(`${ada.email}\n${eve.email}\n`);
    const accepted = await waitlist("suppressions", "import", mistakes, "--as", "accepted", "--yes");
    expect(accepted.stdout).toContain("Not rejected already   1\n");
    expect(accepted.stdout).toContain("Marked 1 person as accepted.");
    expect((await people()).map(({ rejected_at }) => rejected_at)).toEqual([null, expect.any(Date), null]);
    expect((await waitlist("verify")).code).toBe(0);
  });

  test("--as unsubscribed withdraws consent with its entry in the ledger, for many people", async () => {
    await addMany(operator.db, 2500);
    const addresses = Array.from({ length: 2400 }, (_, index) => `p${index + 1}@example.com\n`);
    const file = await aFile(addresses.join(""));
    expect(await waitlistJson("suppressions", "import", file, "--as", "unsubscribed", "--yes")).toEqual({
      addresses: 2400,
      onList: 2400,
      already: 0,
      notOnList: 0,
      invalid: 0,
      changed: 2400,
    });
    expect(await waitlistJson("status")).toMatchObject({ newsletter: 100, unsubscribed: 2400 });
    // Those who weren't in the file never gave their consent here.
    expect(await verifyConsents(operator.db)).toEqual({ orphans: 0, withoutWording: 0, contradictions: 100 });
  });

  test.each([
    ["a file without addresses", "name,reason\nAda,bounce\n", ["--yes"], "neither an address nor a column named email"],
    ["an unclosed quote", 'ada@example.com\n"x', ["--yes"], "unclosed quote"],
    ["no --yes", "ada@example.com\n", [], "Add --yes"],
  ])("refuses %s without changing anyone", async (_name, text, args, advice) => {
    await operator.join(aSignUp({ email: "ada@example.com" }), null);
    expect(await waitlist("suppressions", "import", await aFile(text), "--as", "rejected", ...args)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining(advice),
    });
    expect(await people()).toMatchObject([{ rejected_at: null }]);
  });

  test("refuses a file that isn't there, a folder, and an import of no state", async () => {
    const refusal = async (file: string, ...args: string[]) =>
      (await waitlist("suppressions", "import", file, ...args)).stderr;
    expect(await refusal("nowhere.csv", "--as", "rejected", "--yes")).toContain("ENOENT");
    expect(await refusal(operator.folder, "--as", "rejected", "--yes")).toContain("is a directory");
    expect(await refusal("nowhere.csv")).toContain("--as <state>");
  });
});

test("suppressions export writes who is rejected or unsubscribed, and can be imported again", async () => {
  const [ada, bob, eve] = [
    aSignUp({ email: "+ada@example.com", newsletter: true }),
    aSignUp({ newsletter: true }),
    aSignUp({ newsletter: true }),
  ];
  for (const person of [ada, bob, eve]) await operator.join(person, null);
  const [first, , third] = await operator.db.selectFrom("sign_ups").select("id").orderBy("id").execute();
  for (const person of [first, third]) await setNewsletter(operator.db, null, person?.id ?? "", false);
  await setNewsletter(operator.db, null, third?.id ?? "", true);
  await waitlist("suppressions", "import", await aFile(bob.email), "--as", "rejected", "--yes");
  const out = joinPath(operator.folder, "out.csv");
  expect(await waitlist("suppressions", "export", "--out", out)).toMatchObject({
    code: 0,
    stdout: `Exported 2 suppressions to ${out}\n`,
  });
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  const exported = await readFile(out, "utf8");
  expect(exported.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "TIME")).toBe(
    `email,reason,time\n"'${ada.email}","unsubscribed",TIME\n"${bob.email}","rejected",TIME\n`,
  );
  expect((await waitlist("suppressions", "export")).stdout).toBe(exported);
  expect(await waitlistJson("suppressions", "import", out, "--as", "rejected", "--dry-run")).toMatchObject({
    addresses: 2,
    onList: 2,
    already: 1,
  });
});
