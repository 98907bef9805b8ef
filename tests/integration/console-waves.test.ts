import { expect, test } from "vitest";
import { readActivity } from "#core/activity.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { ACTOR, useConsoleApi } from "#tests/support/console-api.ts";
import { sendNews } from "#tests/support/messages.ts";
import { addMany } from "#tests/support/people.ts";

const context = useConsoleApi();

test("a wave is taken back, the other stays, and the activity says how many people it was", async () => {
  const { api, db } = context;
  await addMany(db, 1500);
  const first = await inviteNext(db, ACTOR, {}, 1200);
  const second = await inviteNext(db, ACTOR, {}, 10);
  const response = await api.post(`/api/waves/${first.id}/uninvite`);
  expect(response).toMatchObject({ status: 200, json: { uninvited: 1200 } });
  expect((await api.get("/api/waves")).json).toMatchObject([{ id: second.id, invited: 10 }]);
  const { entries } = await readActivity(db, { limit: 1 });
  expect(entries).toMatchObject([{ actor: "ada", action: "uninvite", waveId: first.id, count: 1200 }]);
  expect(await api.post(`/api/waves/${first.id}/uninvite`)).toMatchObject({
    status: 409,
    json: { detail: `Nobody is in wave ${first.id}.` },
  });
});

test("the wave of an invitation shows its message, and how many people were mailed", async () => {
  const { api, db } = context;
  const [first, second] = await addMany(db, 5);
  const id = await sendNews(db, { kind: "invitation", audience: { next: 2 } });
  await db.pool.query("update deliveries set state = 'sent' where sign_up_id = $1", [first]);
  const { waveId } = (await api.get(`/api/messages/${id}`)).json;
  expect((await api.get("/api/waves")).json).toMatchObject([
    { id: waveId, invited: 2, confirmed: 2, messageId: id, mailed: 1 },
  ]);
  const { people } = (await api.get(`/api/people?wave=${waveId}`)).json;
  expect(people.map((person: { id: string }) => person.id)).toEqual([second, first]);
});
