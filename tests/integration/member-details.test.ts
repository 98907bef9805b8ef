import { expect, test } from "vitest";
import { COMPANY_TOO_LONG, FIRST_NAME_REQUIRED, type SignUp } from "#contract/sign-up.ts";
import { verifySearchWords } from "#core/people/verify-search.ts";
import { verifyTotals } from "#core/sign-ups/totals.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestApp } from "#tests/support/test-app.ts";

const context = useTestApp();
const { aMember, post, press, rows } = context;

async function aConfirmedMember(changes: Partial<SignUp> = {}): Promise<string> {
  const page = await aMember(changes);
  await press(`${page}/confirm`);
  return page;
}

const save = (page: string, details: Record<string, string>) =>
  press(
    `${page}/details`,
    new URLSearchParams({ firstName: "Ada", lastName: "Lovelace", company: "", ...details }).toString(),
  );

test("a member corrects name and company, and the totals follow the company", async () => {
  await post(aSignUp({ company: "Acme" }));
  const page = await aConfirmedMember({ company: "Acme" });
  const { statusCode, headers } = await save(page, { firstName: " Grace ", lastName: "Hopper", company: "Navy, Inc." });
  expect([statusCode, headers.location]).toEqual([303, `${page}#saved`]);
  expect((await rows()).at(-1)).toMatchObject({
    first_name: "Grace",
    last_name: "Hopper",
    company: "Navy, Inc.",
    company_key: "navy",
  });
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { companiesInterested: 2 } });
  expect(await verifySearchWords(context.db)).toBe(0);
  // The same company in other words, then none.
  await save(page, { company: "NAVY" });
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { companiesInterested: 2 } });
  await save(page, { company: " " });
  expect((await rows()).at(-1)).toMatchObject({ company: null, company_key: null });
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { companiesInterested: 1 } });
});

test("details that can't be saved come back with the form's messages, and change nothing", async () => {
  const page = await aConfirmedMember();
  const before = await rows();
  const response = await save(page, { firstName: "<b>", company: "x".repeat(201) });
  expect(response.statusCode).toBe(400);
  expect(response.headers["content-type"]).toContain("text/html");
  expect(response.body).toContain(COMPANY_TOO_LONG);
  expect(response.body).toContain('value="&lt;b&gt;"');
  expect((await save(page, { firstName: " " })).body).toContain(FIRST_NAME_REQUIRED);
  expect(await rows()).toEqual(before);
});

test("nobody's details change before their address is confirmed", async () => {
  const page = await aMember({ company: "Acme" });
  const before = await rows();
  expect((await save(page, { firstName: "Grace", company: "Navy" })).headers.location).toBe(page);
  expect(await rows()).toEqual(before);
});

test("totals and company counts stay exact while members change companies, join and leave at once", async () => {
  const companies = ["Acme", "Navy", "Globex", "Initech", ""];
  const any = () => ({ company: companies[Math.floor(Math.random() * companies.length)] ?? "" });
  const pages: string[] = [];
  for (let member = 0; member < 12; member += 1) pages.push(await aConfirmedMember(any()));
  const responses = await Promise.all([
    ...pages.flatMap((page) => Array.from({ length: 12 }, () => save(page, any()))),
    ...Array.from({ length: 60 }, () => post(aSignUp(any()))),
    ...pages.slice(0, 4).map((page) => press(`${page}/leave`)),
  ]);
  // 404 is a change that came after its member had left.
  for (const { statusCode } of responses) expect([200, 201, 303, 404]).toContain(statusCode);
  expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 68 } });
}, 60_000);
