import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { signUpSchema } from "./sign-up.ts";

const ada = { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com" };

function messages(input: unknown): Record<string, string[]> {
  const issues = signUpSchema.safeParse(input).error?.issues ?? [];
  const byField = Object.groupBy(issues, ({ path }) => String(path[0]));
  return Object.fromEntries(
    Object.entries(byField).map(([field, of]) => [field, (of ?? []).map(({ message }) => message)]),
  );
}

test("three fields are enough; the optional ones get their defaults", () => {
  expect(signUpSchema.parse(ada)).toEqual({ ...ada, company: "", newsletter: false, website: "" });
});

test("each empty field has the message of the specification", () => {
  expect(messages({ firstName: "", lastName: "  ", email: "" })).toEqual({
    firstName: ["First name is required"],
    lastName: ["Last name is required"],
    email: ["Please enter a valid email address"],
  });
});

test("an unknown field is refused", () => {
  expect(signUpSchema.safeParse({ ...ada, admin: true }).success).toBe(false);
});

test("lengths count people's characters, not UTF-16 units", () => {
  expect(messages({ ...ada, firstName: "𝒜".repeat(100) })).toEqual({});
  expect(messages({ ...ada, firstName: "𝒜".repeat(101) })).toEqual({
    firstName: ["First name may have at most 100 characters"],
  });
});

test.each(["Ada\u0000", "Ada\nBcc: x", "Ada\ud800"])(
  "a name PostgreSQL or a mail header can't hold is refused: %j",
  (firstName) => {
    expect(messages({ ...ada, firstName })).toEqual({
      firstName: ["First name contains a character that can't be used"],
    });
  },
);

describe("addresses", () => {
  test.each([
    "a@example.com",
    "  a@example.com ",
    "a+b.c@sub.example.co.uk",
    "a&b@x.com",
    "o'neil@x-y.com",
    "a@bücher.de",
    "пример@почта.рф",
    "a@xn--bcher-kva.xn--p1ai",
  ])("%s is one", (email) => {
    expect(messages({ ...ada, email })).toEqual({});
  });

  test.each([
    "a",
    "a@x",
    "@x.com",
    "a@",
    "a..b@x.com",
    ".a@x.com",
    "a.@x.com",
    "a@x..com",
    "a@-x.com",
    "a@x-.com",
    "a b@x.com",
    "a@x.com, b@x.com",
    "<a@x.com>",
    "a@x.com\r\nBcc: b@x.com",
    `${"a".repeat(250)}@x.com`,
  ])("%j is none", (email) => {
    expect(messages({ ...ada, email })).toMatchObject({
      email: expect.arrayContaining(["Please enter a valid email address"]),
    });
  });

  test("deciding takes no longer than a moment, whatever is sent", () => {
    fc.assert(
      fc.property(fc.constantFrom("a", "-", ".", "a-", "a.", "@"), fc.constantFrom("!", "@x", ".", "-"), (run, end) => {
        const started = performance.now();
        signUpSchema.safeParse({ ...ada, email: `a@${run.repeat(8000)}${end}` });
        expect(performance.now() - started).toBeLessThan(100);
      }),
    );
  });
});
