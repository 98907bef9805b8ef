// Past 200 lines, because places, friends and links to share are one rule, seen on one member page.
import { expect, onTestFinished, test } from "vitest";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { readActivity } from "#core/activity/activity.ts";
import { connect } from "#core/database/connect.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { countFriends, readFriendDomains, voidFriends } from "#core/members/friends.ts";
import { countMisplaced } from "#core/members/verify-line.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { pageOf } from "#tests/support/members.ts";
import { passMidnight } from "#tests/support/midnight.ts";
import { addMany, addPeople } from "#tests/support/people.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestApp } from "#tests/support/test-app.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const ORIGIN = "https://farwatch.example";
const context = useTestApp({ mail: MAIL_ON, publicOrigin: ORIGIN, trustProxy: ["127.0.0.1"] });
const { aMember, post, press, rows } = context;
const open = async (url: string) => (await context.app.inject(url)).body;
/** The page's heading and the sentences below it, without tags. */
const placeOn = async (page: string) => {
  const [place = ""] = /<h1>.*?(?=<p id="confirmed")/s.exec(await open(page)) ?? [];
  return place
    .replaceAll(/<[^>]*>/g, "")
    .trim()
    .split(/\s*\n\s*/);
};

/** Ada, Bob and Cy joined a day apart; Di is Bob's friend, and isn't in line. */
async function addLine(): Promise<string[]> {
  const people = ["ada", "bob", "cy", "di"].map((name) => ({ email: `${name}@x.com`, suppressed: name === "di" }));
  const ids = await addPeople(context.db, people);
  await context.db.pool.query(
    `update sign_ups set joined_at = now() - interval '4 days' + (id - $1) * interval '1 day',
      confirmed_at = now() - interval '24 hours', friend_of = case when id = $1 + 3 then $1 + 1 end`,
    [ids[0]],
  );
  await countFriends(context.db);
  return ids;
}

test("a wave takes people in the order of the line, and then the others", async () => {
  const [ada, bob, cy, di] = await addLine();
  for (const invited of [1, 1, 1, 1, 0])
    expect(await inviteNext(context.db, OPERATOR, {}, 1)).toMatchObject({ invited });
  const { rows: waves } = await context.db.pool.query("select id from sign_ups order by wave_id");
  expect(waves.map(({ id }) => id)).toEqual([bob, ada, cy, di]);
});

test("a member sees how many people are ahead, once confirmed and with mail on", async () => {
  await addLine();
  const page = await aMember();
  expect(await open(page)).not.toContain("ahead of you");
  await press(`${page}/confirm`);
  expect(await placeOn(page)).toEqual(["3 people are ahead of you"]);
  const unmailed = await context.openApp({}, { mail: undefined });
  expect((await unmailed.inject(page)).body).not.toContain("ahead of you");
});

/** A confirmed member's page, and their link as the page shows it. */
async function aSharer(email = "ada@example.com") {
  const page = await aMember({ email });
  await press(`${page}/confirm`);
  const [link = ""] = /https:\/\/farwatch\.example\/\?friend=[\w.-]+/.exec(await open(page)) ?? [];
  return { page, link, id: (await rows()).find((row) => row.email === email)?.id ?? "" };
}

async function joinThrough(referer: string, email: string): Promise<string> {
  await post(aSignUp({ email }), { referer });
  const joined = (await rows()).at(-1);
  return joined ? pageOf(joined) : "";
}
const confirmThrough = async (link: string, email: string) => press(`${await joinThrough(link, email)}/confirm`);
const friends = async () => (await rows())[0]?.friends;
const aDayLater = () => passMidnight(context.db);

test("a member sees that a friend confirmed or left only after midnight UTC, in their place and in their data", async () => {
  await addLine();
  const { page, link } = await aSharer("eve@x.com");
  const seen = async () => {
    const [ahead] = await placeOn(page);
    const { "Your sign-up": data } = JSON.parse(await open(`${page}/data`));
    const [, counted] = /<p>(\S+) friends? ha/.exec(await open(page)) ?? [];
    return { ahead, counted, data };
  };
  const before = await seen();
  const victim = await joinThrough(link, "victim@x.com");
  await press(`${victim}/confirm`);
  expect(await seen()).toEqual(before);
  await aDayLater();
  const after = await seen();
  expect([after.ahead, after.counted]).toEqual(["1 person is ahead of you", "1"]);
  expect(after.data).not.toEqual(before.data);
  await press(`${victim}/leave`);
  expect(await seen()).toEqual(after);
  await aDayLater();
  expect(await seen()).toEqual(before);
});

/** Adds people who joined at even intervals until now. */
const addSpread = async (count: number, days: number) => {
  const ids = await addMany(context.db, count);
  await context.db.pool.query(
    `update sign_ups set email = id || '@x.com', email_key = id || '@x.com',
      joined_at = now() - (id - $1 + 0.5) * $2 * interval '24 hours' where id >= $1`,
    [ids[0], days / count],
  );
};

test("a member sees about how many places a friend is worth, to one digit", async () => {
  // The last week's sign-ups: 100, then 148, then 151.
  await addSpread(200, 14);
  const { page } = await aSharer();
  expect(await placeOn(page)).toEqual(["200 people are ahead of you", "A friend moves you up by about 100 places."]);
  await addSpread(48, 1);
  expect((await placeOn(page))[1]).toBe("A friend moves you up by about 100 places.");
  await addSpread(3, 1);
  expect((await placeOn(page))[1]).toBe("A friend moves you up by about 200 places.");
});

test("fewer than five places, and a fifth friend, promise nothing", async () => {
  await addSpread(4, 2);
  const { page } = await aSharer();
  expect(await placeOn(page)).toEqual(["4 people are ahead of you"]);
  await addSpread(400, 80);
  expect((await placeOn(page))[1]).toBe("A friend moves you up by about 40 places.");
  const setFriends = (friends: number) =>
    context.db.pool.query("update sign_ups set friends = $1 where email = 'ada@example.com'", [friends]);
  await setFriends(1);
  expect((await placeOn(page))[1]).toBe("Another friend moves you up by about 40 places.");
  await setFriends(4);
  expect(await placeOn(page)).toEqual([expect.stringMatching(/^2\d\d people are ahead of you$/)]);
});

test("the day after a friend counted, and only then, a member reads how far they moved, whatever happens that day", async () => {
  await addSpread(30, 6);
  const { page, link } = await aSharer();
  await confirmThrough(link, "bob@x.com");
  expect((await placeOn(page)).join()).not.toContain("since yesterday");
  await aDayLater();
  const seen = await placeOn(page);
  expect(seen).toEqual(["Nobody is ahead of you", "A friend joined: about 30 places ahead since yesterday."]);
  const others = [await joinThrough(link, "cy@x.com"), await joinThrough(link, "di@x.com")];
  for (const other of others) await press(`${other}/confirm`);
  expect(await placeOn(page)).toEqual(seen);
  await aDayLater();
  expect((await placeOn(page))[1]).toBe("2 friends joined since yesterday.");
  await press(`${others[0]}/leave`);
  expect((await placeOn(page))[1]).toBe("2 friends joined since yesterday.");
  await aDayLater();
  expect(await placeOn(page)).toEqual(["Nobody is ahead of you"]);
});

test("at most four friends count", async () => {
  const { page, link } = await aSharer();
  for (const name of ["bob", "cy", "di", "eve", "flo"]) await confirmThrough(link, `${name}@x.com`);
  await aDayLater();
  expect(await friends()).toBe(4);
  expect(await open(page)).toContain("Four or more friends have joined through your link and confirmed.");
});

test.each([
  ["a link on another site", (link: string) => link.replace(ORIGIN, "https://elsewhere.example")],
  ["someone else's id", (link: string) => link.replace(/friend=\d+/, (found) => `${found}0`)],
  ["another signature", (link: string) => link.replace(/.$/, (last) => (last === "A" ? "Q" : "A"))],
])("%s names nobody, and the sign-up succeeds", async (_what, change) => {
  const { link } = await aSharer();
  await joinThrough(change(link), "bob@example.com");
  expect((await rows()).map(({ friend_of }) => friend_of)).toEqual([null, null]);
});

test("a link names nobody once its member has left and a restore gave the id to someone else", async () => {
  const { page, link, id } = await aSharer();
  await press(`${page}/leave`);
  await context.db.pool.query(
    `insert into sign_ups (id, email_key, email, first_name, last_name, newsletter) overriding system value
    values ($1, 'di@x.com', 'di@x.com', 'Di', 'Di', false)`,
    [id],
  );
  await joinThrough(link, "cy@x.com");
  expect((await rows()).at(-1)).toMatchObject({ email: "cy@x.com", friend_of: null });
});

test("voided friends don't count until they are restored, and the member's page says so", async () => {
  const { page, link, id } = await aSharer();
  await confirmThrough(link, "bob@x.com");
  await aDayLater();
  for (const isDone of [true, false]) expect(await voidFriends(context.db, OPERATOR, id, true)).toBe(isDone);
  expect(await friends()).toBeNull();
  await confirmThrough(link, "cy@x.com");
  await aDayLater();
  expect(await friends()).toBeNull();
  expect(await countMisplaced(context.db)).toBe(0);
  expect(await open(page)).toContain("We don't count people who join through your link anymore");
  expect(await readFriendDomains(context.db, id)).toEqual([{ domain: "x.com", joined: 2, confirmed: 2 }]);
  await voidFriends(context.db, OPERATOR, id, false);
  expect(await friends()).toBe(0);
  await aDayLater();
  expect(await friends()).toBe(2);
  const { entries } = await readActivity(context.db, { limit: 9 });
  expect(entries.map(({ action }) => action)).toEqual(["restore friends", "void friends"]);
});

test("with the database down, a sign-up through a friend's link counts as failed", async () => {
  const { link } = await aSharer();
  const db = connect("postgres://127.0.0.1:1/x");
  onTestFinished(() => db.destroy());
  const { metrics } = unlimited;
  const app = await context.openApp({}, { db, metrics });
  const signUp = { method: "POST", url: WAITLIST_PATH, payload: aSignUp(), headers: { referer: link } } as const;
  expect((await app.inject(signUp)).statusCode).toBe(503);
  expect(await metrics.registry.metrics()).toContain('farwatch_joins_total{outcome="failed"} 1');
});
