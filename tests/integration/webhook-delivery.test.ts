import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { invitePerson } from "#core/invitations/waves.ts";
import { recordAttempt } from "#core/webhooks/attempts.ts";
import { claimEvents } from "#core/webhooks/events.ts";
import { startWorker } from "#tests/drills/harness/worker.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { ORIGIN } from "#tests/support/cli.ts";
import { addPeople } from "#tests/support/people.ts";
import type { Received } from "#tests/support/webhook-receiver.ts";
import { useWebhooks } from "#tests/support/webhooks.ts";

const context = useWebhooks();
const invite = async (count = 1) => {
  const people = Array.from({ length: count }, (_, index) => ({ email: `p${index}@example.com` }));
  for (const id of await addPeople(context.db, people)) await invitePerson(context.db, OPERATOR, id);
};
const attemptsOf = (id: string) => expect.poll(() => context.attempts(id), { timeout: 30_000, interval: 100 });

test("a receiver that fails holds the line, and what happened is in the log", async () => {
  const { timeout } = AbortSignal;
  // Cuts the wait for a stalling receiver to a tenth, so that the test is fast.
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout.call(AbortSignal, ms / 10));
  onTestFinished(() => void vi.restoreAllMocks());
  const responses = { "/ok": 204, "/redirects": 302, "/busy": 503, "/stalls": "stall", "/breaks": "truncate" } as const;
  context.receiver.respond = ({ path }) => responses[path as keyof typeof responses];
  const ids = new Map<string, string>();
  for (const path of Object.keys(responses)) ids.set(path, (await context.add(path)).id);
  await invite(2);
  const sender = context.startSender();
  await attemptsOf(ids.get("/ok") ?? "").toEqual(["1: 204 delivered", "1: 204 delivered"]);
  const failing = { "/redirects": 302, "/busy": 503, "/breaks": "ECONNRESET", "/stalls": "timeout" };
  for (const attempts of [[1], [1, 2]]) {
    for (const [path, status] of Object.entries(failing))
      await attemptsOf(ids.get(path) ?? "").toEqual(attempts.map((attempt) => `${attempt}: ${status} failed`));
    if (attempts.length === 1) await context.pass("5 seconds");
  }
  await sender.stop();
  // The third attempt follows five minutes later; then everything arrives, in order.
  expect((await context.endpoint(ids.get("/busy") ?? "")).next_try_at.getTime()).toBeGreaterThan(Date.now() + 280_000);
  context.receiver.respond = () => 200;
  await context.pass("5 minutes");
  context.startSender();
  for (const path of ["/redirects", "/busy", "/breaks", "/stalls"])
    await attemptsOf(ids.get(path) ?? "").toEqual(expect.arrayContaining(["1: 200 delivered"]));
  expect(context.log()).not.toContain("/elsewhere invited");
});

test("sets an event aside after three refusals, and sends the next", async () => {
  const { id } = await context.add();
  const refused: string[] = [];
  context.receiver.respond = ({ headers }) => {
    refused[0] ??= headers["webhook-id"] ?? "";
    return headers["webhook-id"] === refused[0] ? 422 : 200;
  };
  await invite(2);
  context.startSender();
  for (const [interval, attempts] of Object.entries({ "5 seconds": 1, "5 minutes": 2 })) {
    await attemptsOf(id).toHaveLength(attempts);
    await context.pass(interval);
  }
  await attemptsOf(id).toEqual(["1: 422 failed", "2: 422 failed", "3: 422 set aside", "1: 200 delivered"]);
});

test.each([
  [410, "gone", "failing for a moment", "0 days"],
  [500, "disabled", "failing for three days", "3 days"],
  [404, "disabled", "refused for three days", "3 days"],
  [429, "active", "throttled for less", "2 days"],
])("after a %i the endpoint is %s if it has been %s", async (status, state, _since, interval) => {
  const { id } = await context.add();
  await context.db.pool.query("update webhook_endpoints set failing_since = now() - $1::interval", [interval]);
  context.receiver.respond = () => status;
  await invite();
  context.startSender();
  await attemptsOf(id).not.toEqual([]);
  await expect.poll(async () => (await context.endpoint(id)).state).toBe(state);
});

test("sends an endpoint at most 20 events a second, however many workers run", async () => {
  const { id } = await context.add();
  await invite(2);
  const [event] = await claimEvents(context.db);
  const lease = (await context.endpoint(id)).next_try_at.getTime();
  if (event) await recordAttempt(context.db, event, "200");
  expect((await context.endpoint(id)).next_try_at.getTime()).toBe(lease - 60_000 + 50);
});

/** Fails every seventh request. */
const RESPONSES = [200, 200, 200, 200, 200, 200, 500, 200, 200, 200, 200, 200, 200, "truncate"] as const;
test("two workers that are killed again and again lose nothing and keep the order", async () => {
  for (const path of ["/a", "/b"]) await context.add(path);
  await invite(40);
  context.receiver.respond = () => RESPONSES[context.receiver.received.length % RESPONSES.length] ?? 200;
  const mail = { PUBLIC_ORIGIN: ORIGIN, SMTP_URL: "smtp://127.0.0.1:9", NODE_EXTRA_CA_CERTS: context.receiver.caFile };
  const start = () => startWorker({ ...context.settings(), ...mail });
  const workers = [await start(), await start()];
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.kill()));
  });
  const arrived = (path: string) => [
    ...new Set(context.receiver.received.filter((each) => each.path === path).map(idOf)),
  ];
  for (let round = 0; arrived("/a").length + arrived("/b").length < 80; round += 1) {
    await pause(500);
    // Ends retries' delays, and leases over a second old, which only a killed worker leaves behind.
    await context.db.pool.query(`
      update webhook_endpoints set next_try_at = now()
      where next_try_at not between now() + interval '59 seconds' and now() + interval '1 minute'`);
    if (round < 4) await workers.splice(round % 2, 1, await start())[0]?.kill();
  }
  const { rows } = await context.db.pool.query("select webhook_id from webhook_events order by position");
  const expected = rows.map(({ webhook_id }) => webhook_id);
  expect(arrived("/a")).toEqual(expected);
  expect(arrived("/b")).toEqual(expected);
}, 120_000);

function idOf({ headers }: Received): string {
  return headers["webhook-id"] ?? "";
}
