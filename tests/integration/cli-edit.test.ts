import { expect, test } from "vitest";
import { editPerson } from "#core/people/edit.ts";
import { readSignUp } from "#core/people/person-data.ts";
import { readTotals, verifyTotals } from "#core/sign-ups/totals.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

test("edit changes name and company, shows both, and moves the person between companies", async () => {
  const ada = aSignUp({ company: "Acme" });
  for (const person of [ada, aSignUp({ company: "Globex" })]) await operator.join(person, null);
  const edited = await waitlist("edit", ada.email, "--last-name", " King ", "--company", "GLOBEX, Inc.");
  expect(edited.code).toBe(0);
  expect(edited.stdout.split("\n").map((line) => line.trimEnd())).toEqual([
    "           Before    After",
    "Last name  Lovelace  King",
    "Company    Acme      GLOBEX, Inc.",
    "",
  ]);
  expect(await readTotals(operator.db.pool)).toEqual({ totalUsers: 2, companiesInterested: 1 });
  expect(await waitlistJson("list", "--company", "globex")).toMatchObject([
    {},
    { firstName: "Ada", lastName: "King", company: "GLOBEX, Inc." },
  ]);
  expect((await waitlist("verify")).code).toBe(0);
});

test('--company "" removes the company, and the same again changes nothing', async () => {
  const ada = aSignUp({ company: "Acme" });
  await operator.join(ada, null);
  expect(await waitlistJson("edit", ada.email, "--company", "")).toEqual({
    changed: { company: { before: "Acme", after: "" } },
  });
  expect(await readTotals(operator.db.pool)).toEqual({ totalUsers: 1, companiesInterested: 0 });
  expect((await readSignUp(operator.db, { email_key: ada.email }))?.company).toBe(null);
  expect(await waitlist("edit", ada.email, "--company", "")).toMatchObject({
    code: 0,
    stdout: "Nothing changed: that's what is stored already.\n",
  });
});

test("edit refuses what the form refuses, an address, and nothing to change", async () => {
  const refused = async (advice: string, ...args: string[]) =>
    expect(await waitlist("edit", "ada@example.com", ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(advice),
    });
  await refused("First name is required.", "--first-name", " ");
  await refused("Company may have at most 200 characters.", "--company", "x".repeat(201));
  await refused("unknown option '--email'", "--email", "eve@example.com");
  await refused("Choose what to change");
  expect((await waitlist("edit", "ada@example.com", "--first-name", "Ada")).code).toBe(1);
});

test("totals and company counts stay exact while people join, move between companies and are erased", async () => {
  const companies = ["Acme", "Globex", "Initech", ""];
  const movers = Array.from({ length: 8 }, (_, turn) => aSignUp({ company: companies[turn % 4] ?? "" }));
  for (const person of movers) await operator.join(person, null);
  const details = { firstName: "Ada", lastName: "King" };
  const moving = movers.map(async ({ email }, mover) => {
    const id = (await readSignUp(operator.db, { email_key: email }))?.id ?? "";
    for (let turn = 0; turn < 25; turn += 1) {
      await editPerson(operator.db, OPERATOR, id, { ...details, company: companies[(mover * 3 + turn) % 4] ?? "" });
    }
  });
  const joining = Array.from({ length: 8 }, async (_, worker) => {
    for (let turn = 0; turn < 20; turn += 1) {
      await operator.join(aSignUp({ company: companies[(worker + turn) % 4] ?? "" }), null);
    }
  });
  const [first] = movers;
  const erasing = waitlist("erase", first?.email ?? "", "--yes");
  await Promise.all([...moving, ...joining, erasing]);
  expect(await verifyTotals(operator.db)).toMatchObject({ exact: true, kept: { totalUsers: 167 } });
});
