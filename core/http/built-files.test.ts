import { expect, test } from "vitest";
import { matchesEtag } from "./built-files.ts";

test.each(['"a"', 'W/"a"', '"b", "a"', '"b",W/"a" , "c"', "*", ' "a" '])('If-None-Match: %s matches "a"', (header) => {
  expect(matchesEtag(header, '"a"')).toBe(true);
});

test.each([undefined, "", "a", '"b"', 'W/"b"', '"a', '"aa"', "W/*"])(
  'If-None-Match: %s does not match "a"',
  (header) => {
    expect(matchesEtag(header, '"a"')).toBe(false);
  },
);
