import { beforeEach, describe, expect, test } from "vitest";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { createApp } from "#server/app.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const context = useTestDatabase();
beforeEach(() => emptyWaitlist(context.db));
const rows = () => context.db.selectFrom("sign_ups").selectAll().execute();

describe("the UTM campaign of a sign-up", () => {
  const campaign = "/?utm_source=news&utm_campaign=launch&email=ada@example.com";
  test.each([
    ["our own page as Referer", `https://farwatch.example${campaign}`, { source: "news", campaign: "launch" }],
    ["another site as Referer", `https://elsewhere.example${campaign}`, null],
    ["no Referer", undefined, null],
  ])("with %s (%s) is stored as %j", async (_name, referer, utm) => {
    const headers = { host: "farwatch.example", ...(referer && { referer }) };
    const app = await createApp({ db: context.db, ...unlimited });
    await app.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp(), headers });
    await app.close();
    expect(await rows()).toMatchObject([{ utm }]);
  });
});
