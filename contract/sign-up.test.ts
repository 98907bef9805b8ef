import { runInNewContext } from "node:vm";
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

test("requires three fields, fills in defaults for the others, and ignores a field it doesn't know", () => {
  const filled = { ...ada, company: "", newsletter: false, website: "" };
  expect(signUpSchema.parse({ ...ada, admin: true })).toEqual(filled);
});

test("reports each empty field with the specified message", () => {
  expect(messages({ firstName: "", lastName: "  ", email: "" })).toEqual({
    firstName: ["First name is required"],
    lastName: ["Last name is required"],
    email: ["Please enter a valid email address"],
  });
});

test.each(["\u200b", "\u2060\ufeff", "\u3164", "\u2800", "\u00ad \u200d"])(
  "a name of nothing but invisible characters counts as empty: %j",
  (invisible) => {
    expect(messages({ ...ada, firstName: invisible, lastName: invisible })).toEqual({
      firstName: ["First name is required"],
      lastName: ["Last name is required"],
    });
  },
);

test("limits the length in code points, not in UTF-16 units", () => {
  expect(messages({ ...ada, firstName: "𝒜".repeat(100) })).toEqual({});
  expect(messages({ ...ada, firstName: "𝒜".repeat(101) })).toEqual({
    firstName: ["First name may have at most 100 characters"],
  });
});

test.each(["Ada\u0000", "Ada\nBcc: x", "Ada\ud800"])(
  "rejects a name that PostgreSQL or a mail header can't hold: %j",
  (firstName) => {
    expect(messages({ ...ada, firstName })).toEqual({
      firstName: ["First name contains a character that can't be used"],
    });
  },
);

describe("email addresses", () => {
  const PLAIN = "a@example.com a&b@sub.example.co.uk o'neil@x-y.com a@xn--bcher-kva.xn--p1ai a@1and1.1x".split(" ");
  test.each([...PLAIN, "  a@example.com ", `a@${"a".repeat(63)}.com`])("accepts %s", (email) => {
    expect(messages({ ...ada, email })).toEqual({});
  });

  test("accepts letters, marks and digits of every script", () => {
    for (const email of ["a@bücher.de", "пример@почта.рф", "q\u0307٣@example.com", "कि@कि.भारत"])
      expect(messages({ ...ada, email }), email).toEqual({});
  });

  const WRONG = "a a@x @x.com a@ a..b@x.com a.@x.com a@x-.com <a@x.com> a@127.0.0.1 a@1.2.3".split(" ");
  const LONG = [`${"a".repeat(250)}@x.com`, `a@${"a".repeat(64)}.com`, `a@x.${"a".repeat(64)}`];
  const SEVERAL = ["a b@x.com", "a@x.com, b@x.com", "a@x.com\r\nBcc: b@x.com"];
  test.each([...WRONG, ...LONG, ...SEVERAL])("rejects %j", (email) => {
    expect(messages({ ...ada, email })).toMatchObject({
      email: expect.arrayContaining(["Please enter a valid email address"]),
    });
  });

  const LABEL = "a".repeat(60);
  test.each(["a", "-", ".", "a-", "a.", "@", "1", ".1", "\u0301\u0316", `${LABEL}.`])(
    "checks a run of %j in linear time (ReDoS)",
    (run) => {
      // One run as long as a domain's label may be, and a very long one.
      const runs = [60, 200_000].map((length) => run.repeat(length / run.length));
      for (const address of runs.flatMap((long) => [`a@${long}`, long])) {
        for (const end of ["!", "@x", ".", "-"]) {
          const check = () => signUpSchema.safeParse({ ...ada, email: address + end });
          // Takes a tenth of a second. With an exponential or quadratic pattern it would take minutes on any machine.
          runInNewContext("check()", { check }, { timeout: 20_000 });
        }
      }
    },
    200_000,
  );
});
