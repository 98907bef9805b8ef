import { expect, test } from "vitest";
import { parseUtm } from "./campaign.ts";

test("reads the five utm_* parameters of a URL and nothing else", () => {
  const pageUrl =
    "https://farwatch.example/page?utm_source=news&utm_medium=email&utm_campaign=launch&utm_term=a+b&utm_content=%C3%BC&email=ada@example.com#x";
  expect(parseUtm(pageUrl)).toEqual({ source: "news", medium: "email", campaign: "launch", term: "a b", content: "ü" });
});

test("skips empty, overlong and unprintable values, and returns null if none is left", () => {
  expect(
    parseUtm(`https://a.example/?utm_source=${"x".repeat(101)}&utm_medium=+&utm_term=a%00b&utm_content=ok`),
  ).toEqual({
    content: "ok",
  });
  expect(parseUtm("https://a.example/?utm_source=")).toBeNull();
  expect(parseUtm("nonsense utm_source=x")).toBeNull();
});
