import { readFile, stat } from "node:fs/promises";
import { join as joinPath } from "node:path";
import { describe, expect, test } from "vitest";
import { setNewsletter } from "#core/members/member.ts";
import { verifyConsents } from "#core/sign-ups/verify-consents.ts";
import { useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { addMany } from "#tests/support/people.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

const aFile = (text: string) => operator.aFile("suppressions.csv", text);

async function join(...people: Parameters<typeof aSignUp>[0][]): Promise<string[]> {
  const signUps = people.map((person) => aSignUp(person));
  for (const person of signUps) await operator.join(person, null);
  return signUps.map(({ email }) => email);
}

const people = () =>
  operator.db
    .selectFrom("sign_ups")
    .select(["email", "newsletter", "suppressed_at", "mail_network"])
    .orderBy("id")
    .execute();
const importAs = (state: string, file: string, ...args: string[]) =>
  waitlist("suppressions", "import", file, "--as", state, ...args);
const importJson = async (...args: Parameters<typeof importAs>) =>
  JSON.parse((await importAs(...args, "--json")).stdout);

describe("suppressions import", () => {
  test("--as bounced marks people by address, once, and counts the rest; --dry-run marks nobody", async () => {
    const [ada, bob = "", eve] = await join({ email: "ada@bücher.example" }, {}, {});
    await operator.db.updateTable("sign_ups").set({ mail_network: 7 }).execute();
    const file = aFile(
      `created;Email Address;reason\n1;ADA@xn--bcher-kva.example;"said ""no"";\nnobody@example.com"\n2; ${bob} ;\n3;${bob.toUpperCase()};\n4;nobody@example.com;\n5;n/a;\n`,
    );
    const counts = { addresses: 3, onList: 2, already: 0, notOnList: 1, invalid: 1 };
    expect(await importJson("bounced", file, "--dry-run")).toEqual({ ...counts, changed: 0 });
    expect(await people()).toMatchObject(Array(3).fill({ suppressed_at: null }));
    expect(await importJson("bounced", file, "--yes")).toEqual({ ...counts, changed: 2 });
    const suppressed_at = expect.any(Date);
    expect(await people()).toEqual([
      { email: ada, newsletter: false, suppressed_at, mail_network: null },
      { email: bob, newsletter: false, suppressed_at, mail_network: null },
      { email: eve, newsletter: false, suppressed_at: null, mail_network: 7 },
    ]);
    expect((await importAs("bounced", file, "--yes")).stdout.split("\n")).toEqual([
      "Addresses in the file    3",
      "On the list              2",
      "Already suppressed       2",
      "Not on the list          1",
      "Rows without an address  1",
      "",
      "Marked 0 people as bounced.",
      "",
    ]);
  });

  test("--as accepted takes back a rejection, of the addresses in the file only", async () => {
    const [ada, bob, eve] = await join({}, {}, {});
    await importAs("bounced", aFile(`${ada}\n${bob}\n`), "--yes");
    const { stdout } = await importAs("accepted", aFile(`${ada}\n${eve}\n`), "--yes");
    expect(stdout).toContain("Already not suppressed  1\n");
    expect(stdout).toContain("Marked 1 person as accepted.");
    expect((await people()).map(({ suppressed_at }) => suppressed_at)).toEqual([null, expect.any(Date), null]);
  });

  test("--as unsubscribed withdraws consent with its entry in the ledger, for many people", async () => {
    await addMany(operator.db, 2500);
    const addresses = Array.from({ length: 2400 }, (_, index) => `p${index + 1}@example.com\n`);
    const counts = { addresses: 2400, onList: 2400, already: 0, notOnList: 0, invalid: 0, changed: 2400 };
    expect(await importJson("unsubscribed", aFile(addresses.join("")), "--yes")).toEqual(counts);
    expect(await waitlistJson("status")).toMatchObject({ newsletter: 100, unsubscribed: 2400 });
    // addMany() records no consent, so the 100 who are still subscribed contradict the ledger.
    expect(await verifyConsents(operator.db)).toEqual({ orphans: 0, withoutWording: 0, contradictions: 100 });
  });

  test("refuses a file that it can't read without changing anyone, and asks before it changes someone", async () => {
    const [ada] = await join({});
    const broken = aFile(`${ada}\n"x`);
    const refusal = async (...args: string[]) => {
      const { code, stdout, stderr } = await waitlist("suppressions", "import", ...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      return stderr;
    };
    expect(await refusal(broken, "--as", "bounced", "--yes")).toContain("unclosed quote");
    expect(await refusal(operator.folder, "--as", "bounced", "--yes")).toContain("is a directory");
    expect(await refusal(aFile(`${ada}\n`), "--as", "bounced")).toContain("Add --yes");
    expect(await refusal("nowhere.csv")).toContain("--as <state>");
    expect(await people()).toMatchObject([{ suppressed_at: null }]);
  });
});

test("suppressions export writes who is suppressed or unsubscribed, and can be imported again", async () => {
  const newsletter = true;
  const [ada, bob = ""] = await join({ email: "+ada@example.com", newsletter }, { newsletter }, { newsletter });
  const [first, , third] = await operator.db.selectFrom("sign_ups").select("id").orderBy("id").execute();
  for (const person of [first, third]) await setNewsletter(operator.db, null, person?.id ?? "", false);
  await setNewsletter(operator.db, null, third?.id ?? "", true);
  await importAs("bounced", aFile(bob), "--yes");
  const out = joinPath(operator.folder, "out.csv");
  expect((await waitlist("suppressions", "export", "--out", out)).stdout).toBe(`Exported 2 suppressions to ${out}\n`);
  expect((await stat(out)).mode & 0o777).toBe(0o600);
  const exported = await readFile(out, "utf8");
  expect(exported.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "TIME")).toBe(
    `email,reason,time\n"'${ada}","unsubscribed",TIME\n"${bob}","suppressed",TIME\n`,
  );
  expect((await waitlist("suppressions", "export")).stdout).toBe(exported);
  expect(await importJson("bounced", out, "--dry-run")).toMatchObject({ addresses: 2, onList: 2, already: 1 });
});
