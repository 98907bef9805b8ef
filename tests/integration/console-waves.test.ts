import { afterAll, beforeAll, expect, test } from "vitest";
import { readActivity } from "#core/activity.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { type ConsoleApi, openConsoleApi } from "#tests/support/console-api.ts";
import { addMany } from "#tests/support/people.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
const ACTOR = { name: "ada", via: "console" } as const;

let api: ConsoleApi;
beforeAll(async () => {
  const { db } = context;
  const none = { keys: undefined, mail: undefined, invitations: undefined };
  api = await openConsoleApi({ db, actor: ACTOR, isReadOnly: false, ...none });
});
afterAll(() => api.close());

test("a wave is taken back, the other stays, and the activity says how many people it was", async () => {
  await addMany(context.db, 1500);
  const first = await inviteNext(context.db, ACTOR, {}, 1200);
  const second = await inviteNext(context.db, ACTOR, {}, 10);
  const response = await api.post(`/api/waves/${first.id}/uninvite`);
  expect(response).toMatchObject({ status: 200, json: { uninvited: 1200 } });
  expect((await api.get("/api/waves")).json).toMatchObject([{ id: second.id, invited: 10 }]);
  const { entries } = await readActivity(context.db, { limit: 1 });
  expect(entries).toMatchObject([{ actor: "ada", action: "uninvite", waveId: first.id, count: 1200 }]);
  expect(await api.post(`/api/waves/${first.id}/uninvite`)).toMatchObject({
    status: 409,
    json: { detail: `Nobody is in wave ${first.id}.` },
  });
});
