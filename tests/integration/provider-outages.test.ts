import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setRole } from "#core/operators/team-roles.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { ADA, createBrowser, ORIGIN, openTeamConsole, useTeamConsole } from "#tests/support/team-console.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
const team = useTeamConsole(() => context.db);
const UNAVAILABLE = "/sign-in-failed?reason=unavailable";

const timeouts: number[] = [];
beforeEach(() => {
  const { timeout } = AbortSignal;
  // Cuts the wait for a silent provider to a fiftieth, so that the test is fast.
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    timeouts.push(ms);
    return timeout.call(AbortSignal, team.provider.state.isSilent ? ms / 50 : ms);
  });
});
afterEach(() => {
  Object.assign(team.provider.state, { isDown: false, isSilent: false });
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each(["isDown", "isSilent"] as const)(
  "while the provider %s, sessions go on, people sign out, and signing in says why it can't",
  async (outage) => {
    await setRole(context.db, OPERATOR, "ada@example.com", "editor");
    const [browser, pending] = [createBrowser(team), createBrowser(team)];
    await browser.signIn();
    const url = team.provider.authorize(await pending.start(), ADA);

    team.provider.state[outage] = true;
    expect(await pending.finish(url)).toBe(UNAVAILABLE);
    expect((await browser.get("/api/people")).statusCode).toBe(200);
    // A console that starts now hasn't read the provider's metadata; the other console reads it again after a minute.
    const late = { ...team };
    late.app = await openTeamConsole(context.db, late, {});
    expect(await createBrowser(late).start()).toBe(UNAVAILABLE);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    expect(await pending.start()).toBe(UNAVAILABLE);
    expect((await browser.get("/api/people")).statusCode).toBe(200);
    expect((await browser.post("/api/sign-out")).json()).toEqual({ location: "/signed-out" });
    expect((await browser.get("/api/people")).statusCode).toBe(401);
    vi.useRealTimers();

    team.provider.state[outage] = false;
    for (const console of [team, late]) expect(await createBrowser(console).signIn()).toBe(`${ORIGIN}/people`);
    await late.app.close();
    expect(new Set(timeouts)).toEqual(new Set([5000]));
  },
);
