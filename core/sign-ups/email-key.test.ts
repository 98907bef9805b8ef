import { domainToASCII, domainToUnicode } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { signUpSchema } from "#contract/sign-up.ts";
import { emailKey } from "./email-key.ts";

test.each([
  ["Ada@Example.COM", "ada@example.com"],
  [" ada@example.com ", "ada@example.com"],
  ["ada@BÜCHER.de", "ada@xn--bcher-kva.de"],
  ["ada@xn--bcher-kva.de", "ada@xn--bcher-kva.de"],
  ["jose\u0301@example.com", "josé@example.com"],
])("normalizes %j to %s", (typed, key) => {
  expect(emailKey(typed)).toBe(key);
});

test("keeps plus-tags and dots", () => {
  expect(emailKey("a.da+news@example.com")).toBe("a.da+news@example.com");
});

test("returns no key for a domain that can't exist", () => {
  expect(emailKey("ada@xn--iñvalid.com")).toBeUndefined();
});

test("encodes ASCII domains as URLs do", () => {
  const domain = fc.string({ unit: fc.constantFrom(..."abxn019-.", "xn--"), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(domain, (text) => {
      expect(emailKey(`ada@${text}`)).toBe(domainToASCII(text) ? `ada@${domainToASCII(text)}` : undefined);
    }),
    { numRuns: 5000 },
  );
});

describe("the key of any valid address", () => {
  const letters = "abzéßøñüжяλσςאع中文かハ한0189".split("");
  const label = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 });
  const local = fc.string({ unit: fc.constantFrom(...letters, ..."ABZÉẞŻΣЖ+_.'"), minLength: 1, maxLength: 20 });
  const anyAddress = fc
    .tuple(local, fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom("com", "DE", "рф", "xn--p1ai"))
    .map(([name, labels, top]) => `${name}@${labels.join(".")}.${top}`)
    .filter((address) => signUpSchema.shape.email.safeParse(address).success && emailKey(address) !== undefined);
  const always = (property: (address: string) => void) =>
    fc.assert(fc.property(anyAddress, property), { numRuns: 2000 });

  test("is its own key", () => {
    always((address) => {
      const key = emailKey(address) ?? "";
      expect(emailKey(key)).toBe(key);
    });
  });

  test("ignores case, surrounding spaces and the encoding of accents", () => {
    always((address) => {
      const lower = address.toLowerCase();
      expect(emailKey(` ${lower.normalize("NFD")} `)).toBe(emailKey(address));
    });
  });

  test("is the same for a Unicode domain and its punycode", () => {
    always((address) => {
      const key = emailKey(address) ?? "";
      const [name, domain = ""] = key.split("@");
      expect(emailKey(`${name}@${domainToUnicode(domain)}`)).toBe(key);
    });
  });
});
