import { expect, test } from "vitest";
import { inviteNext, invitePerson, previewWave } from "#core/invitations/waves.ts";
import { countAhead } from "#core/members/line.ts";
import { countMisplaced } from "#core/members/verify-line.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { addPeople } from "#tests/support/people.ts";
import { useTestApp } from "#tests/support/test-app.ts";

const context = useTestApp({ isMailed: true });
const { aMember, press } = context;
const open = async (url: string) => (await context.app.inject(url)).body;

/** Ada to Eve joined a day after each other, Ada first. Only the given number of friends moves them. */
async function addLine(friends: Record<string, number> = {}): Promise<string[]> {
  const names = ["ada", "bob", "cy", "di", "eve"];
  const ids = await addPeople(
    context.db,
    names.map((name) => ({ email: `${name}@example.com` })),
  );
  for (const [day, name] of names.entries()) {
    await context.db.pool.query(
      "update sign_ups set joined_at = timestamptz '2026-03-27 12:00Z' + $2 * interval '1 day', friends = $3 where id = $1",
      [ids[day], day, friends[name] ?? 0],
    );
  }
  return ids;
}
const places = (ids: string[]) => Promise.all(ids.map((id) => countAhead(context.db, id)));

test("people are in line by the time they joined, a week earlier per friend, up to four", async () => {
  expect(await places(await addLine({ cy: 1, di: 4, eve: 5 }))).toEqual([3, 4, 2, 0, 1]);
  expect(await countMisplaced(context.db)).toBe(0);
});

test("only confirmed people with a working address who aren't invited are in line", async () => {
  const ids = await addLine();
  const { pool } = context.db;
  await pool.query("update sign_ups set rejected_at = now() where id = $1", [ids[0]]);
  await invitePerson(context.db, OPERATOR, ids[2] ?? "");
  await addPeople(context.db, [{ email: "unconfirmed@example.com", confirmed: false }]);
  expect(await places(ids)).toEqual([null, 0, null, 1, 2]);
  await pool.query("update sign_ups set rejected_at = null where id = $1", [ids[0]]);
  expect(await places(ids)).toEqual([0, 1, null, 2, 3]);
});

test("a wave takes people in the order of the line, and then those who aren't in line", async () => {
  const [ada, bob, cy, di, eve] = await addLine({ eve: 1 });
  await context.db.pool.query("update sign_ups set rejected_at = now() where id = $1", [ada]);
  const { people, total } = await previewWave(context.db, {}, 9, 2);
  expect({ total, people }).toMatchObject({
    total: 5,
    people: [{ email: "eve@example.com" }, { email: "bob@example.com" }],
  });
  const invited: string[] = [];
  for (let wave = 0; wave < 5; wave += 1) {
    const { id } = await inviteNext(context.db, OPERATOR, {}, 1);
    const { rows } = await context.db.pool.query("select id from sign_ups where wave_id = $1", [id]);
    invited.push(...rows.map((row) => row.id));
  }
  expect(invited).toEqual([eve, bob, cy, di, ada]);
});

test("a member sees how many people are ahead, once confirmed and with mail on", async () => {
  await addLine();
  const page = await aMember();
  expect(await open(page)).not.toContain("ahead of you");
  await press(`${page}/confirm`);
  expect(await open(page)).toContain("5 people are ahead of you.");
  await inviteNext(context.db, OPERATOR, {}, 4);
  expect(await open(page)).toContain("1 person is ahead of you.");
  const unmailed = await context.openApp({}, { isMailed: false });
  expect((await unmailed.inject(page)).body).not.toContain("ahead of you");
});
