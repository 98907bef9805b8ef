import { beforeEach, expect, test } from "vitest";
import { setRole } from "#core/operators/team-roles.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { switchMail } from "#tests/support/mail-on.ts";
import { audienceOf } from "#tests/support/messages.ts";
import { addMany } from "#tests/support/people.ts";
import { ADA, createBrowser, useTeamConsole } from "#tests/support/team-console.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();
const team = useTeamConsole(() => context.db, { INVITE_URL: "https://app.example.com/join" });
const DRAFT = { kind: "invitation", subject: "Come in", body: "{{inviteUrl}}", audience: { next: "2" }, pace: null };

let ada: ReturnType<typeof createBrowser>;
let bob: typeof ada;
let people: string[];
beforeEach(async () => {
  await switchMail(context.db, true);
  await setRole(context.db, OPERATOR, "@example.com", "editor");
  people = await addMany(context.db, 3);
  [ada, bob] = [createBrowser(team), createBrowser(team)];
  await ada.signIn();
  await bob.signIn({ ...ADA, sub: "bob", email: "bob@example.com" });
});

type Call = [path: string, body?: object | undefined];
/** Sends Ada's and Bob's requests at once. Returns the responses, successes first. */
async function atOnce([path, body = {}]: Call, [bobsPath, bobsBody = {}]: Call = [path, body]) {
  const [one, two] = await Promise.all([ada.post(`/api/${path}`, body), bob.post(`/api/${bobsPath}`, bobsBody)]);
  return one.statusCode < two.statusCode ? ([one, two] as const) : ([two, one] as const);
}
const createDraft = async () => (await ada.post("/api/messages", DRAFT)).json();
const read = async (path: string) => (await bob.get(`/api/${path}`)).json();

test.each([
  ["texts", { subject: "From Ada" }, { body: "From Bob: {{inviteUrl}}" }],
  ["audiences", { audience: { next: "1" } }, { audience: { next: "3" } }],
  ["paces", { pace: { count: 1, unit: "day" } }, { pace: { count: 9, unit: "hour" } }],
])("of two %s for one draft, one is saved, and the other is refused until it is based on that", async (_, one, two) => {
  const { id, version } = await createDraft();
  const edit = (change: object): Call => [`messages/${id}`, { ...DRAFT, version, ...change }];
  const [saved, refused] = await atOnce(edit(one), edit(two));
  expect([saved.statusCode, refused.statusCode]).toEqual([200, 409]);
  expect(refused.json().detail).toContain("someone edited it");
  expect(await read(`messages/${id}`)).toEqual(saved.json());
  const merged = { ...saved.json(), ...one, ...two };
  expect((await bob.post(`/api/messages/${id}`, merged)).json()).toMatchObject({ ...one, ...two });
});

test("a draft is never sent with a text or an audience that its sender didn't see", async () => {
  for (const change of [{ subject: "From Bob" }, { audience: { next: "1" } }]) {
    const { id, version } = await createDraft();
    const start: Call = [`messages/${id}/start`, { version }];
    const [done, refused] = await atOnce(start, [`messages/${id}`, { ...DRAFT, version, ...change }]);
    const { state, subject, audience } = await read(`messages/${id}`);
    expect([done.statusCode, refused.statusCode]).toEqual(state === "draft" ? [200, 409] : [204, 409]);
    expect({ subject, audience }).toMatchObject(state === "draft" ? change : { audience: { next: "2" } });
  }
});

test("a draft that both send is sent once, and of a pause and a cancellation both count", async () => {
  const { id, version } = await createDraft();
  const [sent, refused] = await atOnce([`messages/${id}/start`, { version }]);
  expect([sent.statusCode, refused.statusCode]).toEqual([204, 409]);
  expect(await audienceOf(context.db, id)).toEqual(["p1@example.com", "p2@example.com"]);
  await atOnce([`messages/${id}/pause`], [`messages/${id}/cancel`]);
  expect((await read(`messages/${id}`)).state).toBe("canceled");
});

test("two waves at once invite nobody twice, and a wave that both take back is counted once", async () => {
  const [one, two] = [await createDraft(), await createDraft()];
  const start = ({ id, version }: typeof one): Call => [`messages/${id}/start`, { version }];
  await atOnce(start(one), start(two));
  const invited = [await audienceOf(context.db, one.id), await audienceOf(context.db, two.id)];
  expect(invited.flat().sort()).toEqual(["p1@example.com", "p2@example.com", "p3@example.com"]);

  const { waveId } = await read(`messages/${one.id}`);
  const counts = (await atOnce([`waves/${waveId}/uninvite`])).map((response) => response.json().uninvited ?? 0);
  expect(counts[0] + counts[1]).toBe(invited[0]?.length);

  await context.db.pool.query("update sign_ups set invited_at = null");
  const [first, second] = await atOnce([`people/${people[0]}/invite`]);
  expect([first.statusCode, second.statusCode]).toEqual([204, 409]);
});
