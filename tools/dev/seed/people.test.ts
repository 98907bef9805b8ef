import { expect, test } from "vitest";
import { signUpSchema } from "#contract/sign-up.ts";
import { generatePeople } from "./people.ts";

const now = new Date("2026-11-15T12:00:00Z");
const people = generatePeople(3000, now);

test("generates people that pass the form's validation, with addresses in reserved domains", () => {
  for (const { first_name: firstName, last_name: lastName, email, company } of people) {
    expect(signUpSchema.safeParse({ firstName, lastName, email, company: company ?? "" }).success).toBe(true);
    expect(email).toMatch(/@(.+\.)?(example|example\.com|test)$/);
  }
  expect(new Set(people.map(({ email_key }) => email_key)).size).toBe(people.length);
});

test("dates every event after its person joined and before now", () => {
  for (const { joined_at, confirmed_at, invited_at, rejected_at, agreed_at, withdrew_at } of people) {
    for (const at of [confirmed_at, invited_at, rejected_at, agreed_at, withdrew_at]) {
      if (at) expect(at >= joined_at && at < now).toBe(true);
    }
    if (invited_at) expect(confirmed_at && confirmed_at < invited_at).toBe(true);
    if (withdrew_at) expect(agreed_at && agreed_at < withdrew_at).toBe(true);
  }
});
