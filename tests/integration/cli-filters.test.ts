import { describe, expect, test } from "vitest";
import { useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

describe("filters", () => {
  test("--source, --medium and --campaign select people by the campaign that brought them", async () => {
    const [news, ad, none] = [aSignUp(), aSignUp(), aSignUp()];
    await operator.join(news, null, { utm: { source: "it's \\ $1", medium: "email", campaign: "launch" } });
    await operator.join(ad, null, { utm: { source: "google", medium: "cpc", campaign: "launch" } });
    await operator.join(none, null);
    const listed = async (...args: string[]) =>
      (await waitlistJson("list", ...args)).map(({ email }: { email: string }) => email);
    expect(await listed("--source", "google")).toEqual([ad.email]);
    expect(await listed("--medium", "email")).toEqual([news.email]);
    expect(await listed("--campaign", "launch")).toEqual([ad.email, news.email]);
    expect(await listed("--campaign", "launch", "--medium", "social")).toEqual([]);

    const { stdout } = await waitlist("export", "--source", "it's \\ $1", "--format", "jsonl");
    expect(JSON.parse(stdout)).toMatchObject({ email: news.email, utmSource: "it's \\ $1" });
    expect(await waitlistJson("invite", "--campaign", "launch", "--all", "--yes")).toMatchObject({ invited: 2 });
    expect(await listed("--no-invited")).toEqual([none.email]);
  });

  test("--rejected and --no-rejected select people by whether their address was rejected", async () => {
    const [good, bad] = [aSignUp(), aSignUp()];
    for (const person of [good, bad]) await operator.join(person, null);
    await operator.db.updateTable("sign_ups").set({ rejected_at: new Date() }).where("email", "=", bad.email).execute();
    expect(await waitlistJson("list", "--rejected")).toMatchObject([{ email: bad.email }]);
    expect(await waitlistJson("list", "--no-rejected")).toMatchObject([{ email: good.email }]);
  });

  test("--search and --unsubscribed select people as the console does", async () => {
    const [hopper, ada] = [aSignUp({ lastName: "Hopper" }), aSignUp({ newsletter: true })];
    for (const person of [hopper, ada]) await operator.join(person, null);
    expect(await waitlistJson("list", "--search", "hóp")).toMatchObject([{ email: hopper.email }]);
    expect(await waitlistJson("list", "--search", "opper")).toEqual([]);
    expect(await waitlistJson("list", "--unsubscribed")).toEqual([]);
    await waitlist("unsubscribe", ada.email);
    expect(await waitlistJson("list", "--unsubscribed")).toMatchObject([{ email: ada.email }]);
    const { stdout } = await waitlist("export", "--search", "HOPPER", "--no-unsubscribed", "--format", "jsonl");
    expect(JSON.parse(stdout)).toMatchObject({ email: hopper.email });
  });
});
