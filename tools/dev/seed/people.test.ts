import { expect, test } from "vitest";
import { signUpSchema } from "#contract/sign-up.ts";
import { generatePeople } from "./people.ts";

const people = generatePeople(3000, new Date());

test("generates people that pass the form's validation, with addresses in reserved domains", () => {
  for (const { first_name: firstName, last_name: lastName, email, company } of people) {
    expect(signUpSchema.safeParse({ firstName, lastName, email, company: company ?? "" }).success).toBe(true);
    expect(email).toMatch(/@(.+\.)?(example|example\.com|test)$/);
  }
  expect(new Set(people.map(({ email_key }) => email_key)).size).toBe(people.length);
});
