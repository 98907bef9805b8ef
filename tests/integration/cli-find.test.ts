import { describe, expect, test } from "vitest";
import { useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

describe("find", () => {
  const emails = async (...args: string[]) =>
    (await waitlistJson("find", ...args)).people.map(({ email }: { email: string }) => email);

  test("finds people by part of a full name, address or company, in any case", async () => {
    const ada = aSignUp({ firstName: "Ada", lastName: "Løvelace" });
    const bob = aSignUp({ firstName: "Bob", company: "Müller & Söhne GmbH" });
    const eve = aSignUp({ firstName: "Eve", email: "eve@granite.example" });
    for (const person of [ada, bob, eve]) await operator.join(person, null);
    expect(await emails("ADA LØV")).toEqual([ada.email]);
    expect(await emails("mülLER & sÖ")).toEqual([bob.email]);
    expect(await emails("@granite")).toEqual([eve.email]);
    expect(await emails("lovelace")).toEqual([eve.email, bob.email]);
  });

  test("takes wildcards and patterns as typed", async () => {
    const ada = aSignUp({ company: "100% Ada_(Ltd.)" });
    for (const person of [ada, aSignUp({ company: "100 Adams Ltd" })]) await operator.join(person, null);
    for (const text of ["100%", "Ada_", "(Ltd.)", "a_(l"]) expect(await emails(text)).toEqual([ada.email]);
    expect(await emails(".*")).toEqual([]);
  });

  test("shows at most --limit people and says when there are more", async () => {
    for (let turn = 0; turn < 3; turn += 1) await operator.join(aSignUp({ lastName: "Hopper" }), null);
    const some = await waitlist("find", "hopper", "--limit", "2");
    expect(some.code).toBe(0);
    expect(some.stdout.split("\n")).toHaveLength(6);
    expect(some.stdout).toContain("More than 2 people found. Use a longer text, or a higher --limit.");
    expect((await waitlist("find", "hopper", "--limit", "3")).stdout).not.toContain("More than");
    expect(await waitlistJson("find", "hopper", "--limit", "2")).toMatchObject({ hasMore: true });
  });

  test("exits with 1 if nobody is found, and with 2 without a text", async () => {
    expect(await waitlist("find", "nobody")).toMatchObject({ code: 1, stdout: "No people found.\n" });
    expect(await waitlist("find", " ")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Use part of a name, address or company."),
    });
  });
});

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
    expect(await waitlistJson("list", "--search", "hop")).toMatchObject([{ email: hopper.email }]);
    expect(await waitlistJson("list", "--search", "opper")).toEqual([]);
    expect(await waitlistJson("list", "--unsubscribed")).toEqual([]);
    await waitlist("unsubscribe", ada.email);
    expect(await waitlistJson("list", "--unsubscribed")).toMatchObject([{ email: ada.email }]);
    const { stdout } = await waitlist("export", "--search", "HOPPER", "--no-unsubscribed", "--format", "jsonl");
    expect(JSON.parse(stdout)).toMatchObject({ email: hopper.email });
  });
});
