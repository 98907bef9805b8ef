import { afterAll, beforeAll, expect, test } from "vitest";
import { sentences } from "#tests/support/activity.ts";
import { type ConsoleApi, openConsoleApi, WITHOUT_MAIL } from "#tests/support/console-api.ts";
import { useWebhooks } from "#tests/support/webhooks.ts";

const context = useWebhooks();
let api: ConsoleApi;
beforeAll(async () => {
  api = await openConsoleApi({ db: context.db, ...WITHOUT_MAIL, webhookHosts: [context.receiver.WEBHOOK_HOSTS] });
});
afterAll(() => api.close());
const add = (url: string, sends = "pseudonyms") => api.post("/api/webhooks", { url, sends });

test("the console shows a webhook's secret once and its deliveries, and records each change", async () => {
  const { json: added } = await add(context.receiver.urlOf("/token"));
  expect(added.secret).toMatch(/^whsec_/);
  const { json: rotated } = await api.post(`/api/webhooks/${added.id}/rotate`);
  expect((await context.endpoint(added.id)).secrets).toEqual([rotated.secret, added.secret]);
  await api.post(`/api/webhooks/${added.id}/test`);
  context.startSender();
  await expect.poll(() => context.attempts(added.id)).toHaveLength(1);
  const webhooks = await api.get("/api/webhooks");
  expect(webhooks.json).toMatchObject([{ id: added.id, state: "active" }]);
  const deliveries = await api.get(`/api/webhooks/${added.id}/deliveries`);
  const attempt = { type: "webhook.test", status: "200", outcome: "delivered", at: expect.stringMatching(/Z$/) };
  expect(deliveries.json).toMatchObject([attempt]);
  expect(webhooks.text + deliveries.text).not.toMatch(/whsec|token/);
  for (const change of ["pause", "resume", "remove"])
    expect((await api.post(`/api/webhooks/${added.id}/${change}`)).status).toBe(200);
  expect((await api.post(`/api/webhooks/${added.id}/test`)).status).toBe(404);
  const done = ["removed", "resumed", "paused", "sent a test to", "rotated the secret of", "added"];
  expect(await sentences(context.db)).toEqual(done.map((action) => `${action} webhook ${added.id}`));
});

test.each([
  ["a host that WEBHOOK_HOSTS doesn't list", "https://elsewhere.example/", "pseudonyms", "WEBHOOK_HOSTS"],
  ["http", "http://localhost:1/", "pseudonyms", "https URL"],
  ["a password", "https://me:hunter2@localhost:1/", "pseudonyms", "without a password"],
  ["nonsense", "nonsense", "pseudonyms", "https URL"],
  ["contact data that the privacy text doesn't mention", "/", "contact", "SHARED_WITH"],
])("the console refuses %s", async (_name, url, sends, reason) => {
  const { status, json } = await add(url === "/" ? context.receiver.urlOf(url) : url, sends);
  expect([status, json.detail]).toEqual([422, expect.stringContaining(reason)]);
  expect((await api.get("/api/webhooks")).json).toEqual([]);
});
