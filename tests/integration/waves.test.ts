import { expect, test } from "vitest";
import { readActivity } from "#core/activity/activity.ts";
import { uninvitePerson } from "#core/invitations/uninvite.ts";
import { readWaveResults } from "#core/invitations/wave-results.ts";
import { inviteNext, invitePerson } from "#core/invitations/waves.ts";
import { splitAudience } from "#core/messages/audience.ts";
import { countMatching } from "#core/people/filter.ts";
import { ACTOR, useConsoleApi } from "#tests/support/console-api.ts";
import { sendNews } from "#tests/support/messages.ts";
import { addMany } from "#tests/support/people.ts";

const context = useConsoleApi();

test("ten concurrent waves invite the first people who joined, each once and each in one wave", async () => {
  const ids = await addMany(context.db, 4000);
  const waves = await Promise.all(Array.from({ length: 10 }, () => inviteNext(context.db, ACTOR, {}, 300)));
  expect(waves.map(({ invited }) => invited)).toEqual(Array(10).fill(300));
  expect(new Set(waves.map(({ id }) => id)).size).toBe(10);
  for (const { id } of waves) expect(await countMatching(context.db, { wave: id })).toBe(300);
  const { rows } = await context.db.pool.query("select id from sign_ups where invited_at is not null order by id");
  expect(rows.map(({ id }) => id)).toEqual(ids.slice(0, 3000));
});

test("someone is invited individually only once, and a second time leaves no empty wave", async () => {
  const [ada = ""] = await addMany(context.db, 1);
  const wave = await invitePerson(context.db, ACTOR, ada);
  expect(await invitePerson(context.db, ACTOR, ada)).toBeUndefined();
  expect(await readWaveResults(context.db, 9)).toMatchObject([{ id: wave?.id, invited: 1 }]);
});

test("a wave is taken back, the other stays, and the activity shows the number of people", async () => {
  const { api, db } = context;
  await addMany(db, 1500);
  const first = await inviteNext(db, ACTOR, {}, 1200);
  const second = await inviteNext(db, ACTOR, {}, 10);
  const response = await api.post(`/api/waves/${first.id}/uninvite`);
  expect(response).toMatchObject({ status: 200, json: { uninvited: 1200 } });
  expect((await api.get("/api/waves")).json).toMatchObject([
    { id: second.id, invited: 10, takenBack: 0 },
    { id: first.id, invited: 0, takenBack: 1200 },
  ]);
  expect(await splitAudience(db, { kind: "announcement", audience: { wave: first.id } })).toMatchObject({
    recipients: 1200,
  });
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
    { id: waveId, invited: 2, accepted: 0, messageId: id, mailed: 1 },
  ]);
  const { people } = (await api.get(`/api/people?wave=${waveId}`)).json;
  expect(people.map((person: { id: string }) => person.id)).toEqual([second, first]);
});

test("a wave shows how many of those still invited accepted", async () => {
  const { api, db } = context;
  const ids = await addMany(db, 7);
  const { id } = await inviteNext(db, ACTOR, {}, 7);
  await db.pool.query("update sign_ups set accepted_at = now() where id = any($1)", [ids.slice(0, 2)]);
  for (const person of ids.slice(5)) await uninvitePerson(db, ACTOR, person);
  const read = async () => (await api.get("/api/waves")).json[0];
  expect(await read()).toMatchObject({ id, invited: 5, accepted: 2 });
});
