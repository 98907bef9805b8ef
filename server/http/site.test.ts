import { expect, test } from "vitest";
import { hasEtag, loadSite } from "./site.ts";

test.each(['"a"', 'W/"a"', '"b", "a"', '"b",W/"a" , "c"', "*", ' "a" '])('If-None-Match: %s has "a"', (header) => {
  expect(hasEtag(header, '"a"')).toBe(true);
});

test.each([undefined, "", "a", '"b"', 'W/"b"', '"a', '"aa"', "W/*"])("If-None-Match: %s has not", (header) => {
  expect(hasEtag(header, '"a"')).toBe(false);
});

test("a page that isn't built is named, with the command that builds it", () => {
  expect(() => loadSite("nowhere")).toThrow("There is no built page in nowhere. Run: npm run build");
});
