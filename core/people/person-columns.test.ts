import { expect, test } from "vitest";
import { signUpSchema } from "#contract/sign-up.ts";
import { personColumns } from "./person-columns.ts";

const ada = { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", newsletter: false, website: "" };

test("stores the address in NFC, where a Kelvin sign is a K", () => {
  const person = personColumns(signUpSchema.parse({ ...ada, email: "\u212Aelvin.jose\u0301@example.com" }));
  expect(person?.email).toBe("Kelvin.jos\u00e9@example.com");
  expect(person?.email_key).toBe("kelvin.jos\u00e9@example.com");
});

test("stores no company for one that nobody can see", () => {
  for (const company of ["", "\u200b", "\u3164\u2800"])
    expect(personColumns(signUpSchema.parse({ ...ada, company }))?.company).toBeNull();
});
