import { describe, expect, test } from "vitest";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestApp } from "#tests/support/test-app.ts";

const { post, rows } = useTestApp();

describe("the UTM campaign of a sign-up", () => {
  const campaign = "/?utm_source=news&utm_campaign=launch&email=ada@example.com";
  test.each([
    ["our own page as Referer", `https://farwatch.example${campaign}`, { source: "news", campaign: "launch" }],
    ["another site as Referer", `https://elsewhere.example${campaign}`, null],
    ["no Referer", undefined, null],
  ])("with %s (%s) is stored as %j", async (_name, referer, utm) => {
    await post(aSignUp(), { host: "farwatch.example", ...(referer && { referer }) });
    expect(await rows()).toMatchObject([{ utm }]);
  });
});
