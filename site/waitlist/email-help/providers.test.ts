import { describe, expect, test } from "vitest";
import { inboxOf, suggestAddress } from "./providers.ts";

const MISSPELLED = {
  "gmail.com":
    "gmial.com gmal.com gamil.com gmai.com gmil.com gmaill.com gmaiil.com ggmail.com gmali.com gnail.com gmsil.com gmail.co gmail.cm gmail.om gmail.con gmail.vom gmail.cim gmail.comm gmailcom gmail.ocm",
  "hotmail.com":
    "hotmial.com hotmai.com hotmal.com hotmil.com hotmaill.com hotnail.com htmail.com hotmali.com hormail.com",
  "yahoo.com": "yaho.com yahooo.com yhaoo.com yhoo.com yahoo.con",
  "outlook.com": "outlok.com oulook.com outlook.co outloook.com outlool.com otulook.com",
  "icloud.com": "iclod.com icoud.com iclould.com icluod.com",
  "protonmail.com": "protonmial.com protonmai.com",
};
const REAL =
  "gmail.com googlemail.com hotmail.com outlook.com yahoo.com icloud.com protonmail.com fastmail.com ymail.com mail.com email.com gmx.com gmx.de hey.com live.com love.com like.com me.com mac.com aol.com aon.com proton.me photon.me pm.me zoho.com yandex.com fastmail.fm hushmail.com rocketmail.com tutanota.com web.de mail.ru grail.com cloud.com yahoo.ca yahoo.de yahoo.co.uk yahoo.co.jp hotmail.fr hotmail.co.uk outlook.de example.com";

describe("a misspelled provider", () => {
  for (const [right, all] of Object.entries(MISSPELLED)) {
    test(`is corrected to ${right}`, () => {
      for (const domain of all.split(" ")) expect(suggestAddress(`Ada@${domain}`, false), domain).toBe(`Ada@${right}`);
    });
  }

  test("is none of the real domains, nor a text without an address", () => {
    for (const domain of REAL.split(" ")) expect(suggestAddress(`ada@${domain}`, false), domain).toBeUndefined();
    for (const text of ["", "@", "gmial.com", "@gmial.com", "ada@"])
      expect(suggestAddress(text, false)).toBeUndefined();
  });

  test("is none as long as the right one may still be typed", () => {
    for (const address of ["ada@gmail.co", "ada@gmail.com", "ada@outlook.co"])
      for (let end = 1; end <= address.length; end += 1)
        expect(suggestAddress(address.slice(0, end), true)).toBeUndefined();
    expect(suggestAddress("ada@gmial.com", true)).toBe("ada@gmail.com");
  });
});

test("an inbox is known by its domain alone", () => {
  for (const [domain, name] of Object.entries({
    "Gmail.com": "Gmail",
    "hotmail.fr": "Outlook",
    "live.co.uk": "Outlook",
    "yahoo.de": "Yahoo Mail",
    "me.com": "iCloud Mail",
    "proton.me": "Proton Mail",
  }))
    expect(inboxOf(`ada@${domain}`)?.name).toBe(name);
  for (const domain of ["example.com", "yahoo.co.jp", "gmail.com.example", "notgmail.com", "outlook.example.com"])
    expect(inboxOf(`ada@${domain}`)).toBeUndefined();
});
