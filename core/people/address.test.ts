import { domainToASCII, domainToUnicode } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { signUpSchema } from "#contract/sign-up.ts";
import type { EmailKey } from "#core/database/tables.ts";
import { emailKey, mailboxKey } from "./address.ts";

test.each([
  ["Ada@Example.COM", "ada@example.com"],
  [" ada@example.com ", "ada@example.com"],
  ["ada@BÜCHER.de", "ada@xn--bcher-kva.de"],
  ["jose\u0301@example.com", "josé@example.com"],
  ["a.da+news@example.com", "a.da+news@example.com"],
  ["ada@xn--iñvalid.com", undefined],
  // Before the @, ς equals σ. In a domain they are different letters, and Σ means σ.
  ["ΝΊΚΟΣ@ΟΔΌΣ.gr", "νίκοσ@xn--pxavn9a.gr"],
  ["νίκος@οδός.gr", "νίκοσ@xn--pxavk3b.gr"],
  // IP addresses, and labels that are too long once encoded.
  ["ada@１２７.0.0.1", undefined],
  ["ada@x.0x1", undefined],
  [`ada@${"ü".repeat(63)}.com`, undefined],
])("normalizes %j to %s", (typed, key) => {
  expect(emailKey(typed)).toBe(key);
});

test("encodes ASCII domains as URLs do, except for IP addresses and empty labels", () => {
  const domain = fc.string({ unit: fc.constantFrom(..."abxn019-.", "xn--"), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(domain, (text) => {
      const encoded = domainToASCII(text);
      expect(emailKey(`ada@${text}`)).toBe(
        encoded && !/\.\d+$|^\.|\.\.|\.$/.test(encoded) ? `ada@${encoded}` : undefined,
      );
    }),
    { numRuns: 5000 },
  );
});

test("the key of any valid address is its own key, whatever the case, accents, spaces and encoding of its domain", () => {
  const letters = [..."abzéßøñüжяλσςאع中文かハ한0189", "J\u030c", "T\u0308"];
  const label = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 12 });
  const local = fc.string({ unit: fc.constantFrom(...letters, ..."ABZÉẞŻΣЖ+_.'"), minLength: 1, maxLength: 20 });
  const anyAddress = fc
    .tuple(local, fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom("com", "DE", "рф", "xn--p1ai"))
    .map(([name, labels, top]) => `${name}@${labels.join(".")}.${top}`)
    .filter((address) => signUpSchema.shape.email.safeParse(address).success && emailKey(address) !== undefined);
  const isStable = (address: string) => {
    const key = emailKey(address) ?? "";
    const [name, domain = ""] = key.split("@");
    for (const same of [key, ` ${address.toLowerCase().normalize("NFD")} `, `${name}@${domainToUnicode(domain)}`])
      expect(emailKey(same)).toBe(key);
  };
  fc.assert(fc.property(anyAddress, isStable), { numRuns: 2000 });
});

test.each([
  ["Ada+news@Example.com", "ada@example.com"],
  ["ada+a+b@example.com", "ada@example.com"],
  ["ada.lovelace@example.com", "ada.lovelace@example.com"],
  ["a.d.a+1@gmail.com", "ada@gmail.com"],
  ["ada@googlemail.com", "ada@gmail.com"],
  ["a-d_a.+1@protonmail.com", "ada@proton.me"],
  ["a.d.a@mac.com", "a.d.a@icloud.com"],
  ["ada-b.c_d@ya.ru", "ada.b.c_d@yandex.ru"],
  ["+1@example.com", "+1@example.com"],
])("%s goes to the mailbox %s", (address, mailbox) => {
  expect(mailboxKey(emailKey(address) as EmailKey)).toBe(mailbox);
});
