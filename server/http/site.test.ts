import { expect, test } from "vitest";
import { loadSite, matchesEtag } from "./site.ts";

test.each(['"a"', 'W/"a"', '"b", "a"', '"b",W/"a" , "c"', "*", ' "a" '])('If-None-Match: %s matches "a"', (header) => {
  expect(matchesEtag(header, '"a"')).toBe(true);
});

test.each([undefined, "", "a", '"b"', 'W/"b"', '"a', '"aa"', "W/*"])(
  'If-None-Match: %s does not match "a"',
  (header) => {
    expect(matchesEtag(header, '"a"')).toBe(false);
  },
);

test("reports a missing build, with the command that creates it", () => {
  expect(() => loadSite("nowhere")).toThrow("There is no built page in nowhere. Run: npm run build");
});
