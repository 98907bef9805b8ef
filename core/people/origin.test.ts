import { expect, test } from "vitest";
import { describeOrigin, type Origin, originOfImport, originOfPage } from "./origin.ts";

const utmOf = (pageUrl: string) => originOfPage(pageUrl).utm;

test("reads the five utm_* parameters of a URL and nothing else", () => {
  const pageUrl =
    "https://farwatch.example/page?utm_source=news&utm_medium=email&utm_campaign=launch&utm_term=a+b&utm_content=%C3%BC&email=ada@example.com#x";
  expect(utmOf(pageUrl)).toEqual({ source: "news", medium: "email", campaign: "launch", term: "a b", content: "ü" });
});

test("skips empty, overlong and unprintable values, and returns null if none is left", () => {
  expect(utmOf(`https://a.example/?utm_source=${"x".repeat(101)}&utm_medium=+&utm_term=a%00b&utm_content=ok`)).toEqual({
    content: "ok",
  });
  expect(utmOf("https://a.example/?utm_source=")).toBeNull();
  expect(utmOf("nonsense utm_source=x")).toBeNull();
});

test("is described in one order, whatever the order of the link's parameters or of PostgreSQL's JSON", () => {
  const parts = { term: "soc", medium: "email", source: "news", content: "footer", campaign: "launch" };
  expect(describeOrigin(parts)).toBe("news · email · launch · soc · footer");
  expect(describeOrigin({ source: null, medium: "email", campaign: null })).toBe("email");
  const imported: Record<string, string> | null = originOfImport("Trade fair").utm;
  expect(describeOrigin(imported)).toBe("Trade fair · imported");
  expect(describeOrigin(null)).toBe("");
  expect(describeOrigin(null, true)).toBe("A friend's link");
  expect(describeOrigin({ source: "news" }, true)).toBe("A friend's link · news");
});

test("is only what a page's URL, a member's link or an import says", () => {
  const text: string = "5";
  const said: Partial<Origin>[] = [originOfPage("https://a.example/"), originOfImport("Trade fair")];
  // Each of these only guesses where a sign-up came from, so `npm run check` expects none to compile.
  const guessed: Partial<Origin>[] = [
    // @ts-expect-error: a campaign that isn't from a page's URL
    { utm: { source: text } },
    // @ts-expect-error: an id that isn't from a member's link
    { friend_of: text },
  ];
  expect([...said, ...guessed]).toHaveLength(4);
});
