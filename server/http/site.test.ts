import { expect, test } from "vitest";
import { hasEtag } from "./site.ts";

test.each(['"a"', 'W/"a"', '"b", "a"', '"b",W/"a" , "c"', "*", ' "a" '])('If-None-Match: %s has "a"', (header) => {
  expect(hasEtag(header, '"a"')).toBe(true);
});

test.each([undefined, "", "a", '"b"', 'W/"b"', '"a', '"aa"', "W/*"])("If-None-Match: %s has not", (header) => {
  expect(hasEtag(header, '"a"')).toBe(false);
});
