import { expect, test } from "vitest";
import { parseUtm } from "./campaign.ts";

test("a campaign is known by the five names it may give itself, and by nothing else of the address", () => {
  const address =
    "https://farwatch.example/page?utm_source=news&utm_medium=email&utm_campaign=launch&utm_term=a+b&utm_content=%C3%BC&email=ada@example.com#x";
  expect(parseUtm(address)).toEqual({ source: "news", medium: "email", campaign: "launch", term: "a b", content: "ü" });
});

test("what is empty, too long or unprintable is left out, and nothing at all is null", () => {
  expect(
    parseUtm(`https://a.example/?utm_source=${"x".repeat(101)}&utm_medium=+&utm_term=a%00b&utm_content=ok`),
  ).toEqual({
    content: "ok",
  });
  expect(parseUtm("https://a.example/?utm_source=")).toBeNull();
  expect(parseUtm("nonsense utm_source=x")).toBeNull();
});
