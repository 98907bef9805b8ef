import { expect, test } from "vitest";
import { uninviteWave } from "#core/invitations/uninvite.ts";
import { inviteNext, invitePerson, listWaves } from "#core/invitations/waves.ts";
import { countMatching } from "#core/people/filter.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { addMany } from "#tests/support/people.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();

test("ten concurrent waves invite the first people who joined, each once and each in one wave", async () => {
  const ids = await addMany(context.db, 4000);
  const waves = await Promise.all(Array.from({ length: 10 }, () => inviteNext(context.db, OPERATOR, {}, 300)));
  expect(waves.map(({ invited }) => invited)).toEqual(Array(10).fill(300));
  expect(new Set(waves.map(({ id }) => id)).size).toBe(10);
  for (const { id } of waves) expect(await countMatching(context.db, { wave: id })).toBe(300);
  const { rows } = await context.db.pool.query("select id from sign_ups where invited_at is not null order by id");
  expect(rows.map(({ id }) => id)).toEqual(ids.slice(0, 3000));
});

test("someone is invited alone once, and a second time leaves no empty wave", async () => {
  const [ada = ""] = await addMany(context.db, 1);
  const wave = await invitePerson(context.db, OPERATOR, ada);
  expect(await invitePerson(context.db, OPERATOR, ada)).toBeUndefined();
  expect(await listWaves(context.db, 9)).toMatchObject([{ id: wave?.id, people: 1 }]);
});

test("a wave taken back twice at the same time is counted once, and the others stay", async () => {
  await addMany(context.db, 2600);
  const wave = await inviteNext(context.db, OPERATOR, {}, 2500);
  const other = await inviteNext(context.db, OPERATOR, {}, 10);
  const counts = await Promise.all([1, 2].map(() => uninviteWave(context.db, OPERATOR, wave.id)));
  expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(2500);
  expect(await listWaves(context.db, 9)).toMatchObject([{ id: other.id, people: 10 }]);
  expect(await inviteNext(context.db, OPERATOR, {}, 5000)).toMatchObject({ invited: 2590 });
});
