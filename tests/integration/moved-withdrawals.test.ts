import { beforeAll, expect, test } from "vitest";
import { UNSUBSCRIBE_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { createToken } from "#core/links/links.ts";
import { readDownload } from "#core/members/download.ts";
import { confirmAddress } from "#core/members/member.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import { movePeople, previewMove, readMoves, undoMove } from "#core/retention/move.ts";
import { verifyConsents } from "#core/sign-ups/verify-consents.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { inTransaction } from "#tests/support/in-transaction.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { inDays, SECRET } from "#tests/support/members.ts";
import { addQuestions, answerAs, TEAM_SIZE, TOOLS } from "#tests/support/questions.ts";
import { keyOf } from "#tests/support/sign-ups.ts";
import { useTestApp } from "#tests/support/test-app.ts";

const context = useTestApp();
const { aMember, press, rows } = context;
const EMAIL = "ada+tag@example.com";
const FORMS = "Forms held for review because they looked automated";
const ASIDE = "Sign-ups set aside because they looked automated";

beforeAll(() => recordConsentWording(context.db));

/** A subscriber, and the paths of their page and of the unsubscribe link in their emails. */
async function aSubscriber({ isConfirmed = false } = {}) {
  const page = await aMember({ email: EMAIL, newsletter: true });
  const [member] = await rows();
  if (!member) throw new Error("Nobody joined");
  if (isConfirmed) await confirmAddress(context.db, member.id);
  const link = `${UNSUBSCRIBE_PATH}/${createToken("unsubscribe", createKeys(SECRET), member, inDays(300))}`;
  return { ...member, page, link };
}

/** Moves everyone, and returns a function that brings them back. */
async function move() {
  const { upTo } = await previewMove(context.db, {});
  await movePeople(context.db, OPERATOR, { filter: {}, upTo, withConfirmed: true });
  const [{ id = "" } = {}] = await readMoves(context.db);
  return () => undoMove(context.db, OPERATOR, id);
}

const ledger = () => context.db.selectFrom("consents").select(["given", "at"]).orderBy("at").execute();
const events = async () =>
  (await context.db.selectFrom("hook_events").select("type").orderBy("id").execute()).map(({ type }) => type);
const confirmation = () => context.db.selectFrom("deliveries").select(["state", "reason"]).execute();

test.each([
  ["a mail provider's one-click request", "List-Unsubscribe=One-Click"],
  ["the button on the link's page", ""],
])("a confirmed person who unsubscribes by %s while they are moved comes back unsubscribed", async (_how, body) => {
  const { link } = await aSubscriber({ isConfirmed: true });
  const undo = await move();
  expect((await context.app.inject(link)).body).toContain("<button");
  const response = await press(link, body);
  expect(response).toMatchObject({ statusCode: 200, body: expect.stringContaining("You&#39;re unsubscribed") });
  expect((await context.app.inject(link)).body).toBe(response.body);
  const [noted] = await context.db.selectFrom("moved_sign_ups").selectAll().execute();
  await press(link, body);
  expect(await context.db.selectFrom("moved_sign_ups").selectAll().execute()).toEqual([noted]);
  expect(JSON.stringify(await readDownload(context.db, keyOf(EMAIL)))).toMatch(/"You unsubscribed since":"2/);

  expect(await undo()).toBe(1);
  expect(await rows()).toMatchObject([{ newsletter: false }]);
  expect(await ledger()).toMatchObject([{ given: true }, { given: false, at: noted?.unsubscribed_at }]);
  expect(await events()).toEqual(["person.confirmed", "person.unsubscribed"]);
  expect(await confirmation()).toEqual([]);
  expect(await verifyConsents(context.db)).toEqual({ orphans: 0, withoutWording: 0, contradictions: 0 });
});

test.each(["no", "a pending", "a failed", "a sent"])(
  "an unconfirmed person with %s confirmation who unsubscribes while they are moved is never asked again",
  async (which) => {
    const { id, link } = await aSubscriber();
    const state = which.split(" ")[1];
    const values = "values (1, $1, $2, 'refused')";
    const columns = "message_id, sign_up_id, state, reason";
    if (state) await context.db.pool.query(`insert into deliveries (${columns}) ${values}`, [id, state]);
    else await context.db.pool.query("update sign_ups set mail_network = 7");
    const undo = await move();
    await press(link);
    expect(await context.db.selectFrom("mailboxes").select("unsubscribed_at").execute()).toHaveLength(1);
    await undo();
    expect(await rows()).toMatchObject([{ newsletter: false, mail_network: null }]);
    expect(await confirmation()).toEqual([{ state: state === "sent" ? "sent" : "skipped", reason: "unsubscribed" }]);
    expect(await events()).toEqual([]);
  },
);

test("someone who unsubscribes just as they are moved, or brought back, is unsubscribed", async () => {
  const { id, link } = await aSubscriber({ isConfirmed: true });
  let unsubscribing: ReturnType<typeof press> | undefined;
  const during = (statement: string, value: string) =>
    inTransaction(context.db.pool, async (client) => {
      await client.query(statement, [value]);
      unsubscribing = press(link);
      await untilBlocked(context.db);
    });
  await during("select move_sign_ups(array[$1::bigint], 1)", id);
  expect((await unsubscribing)?.statusCode).toBe(200);
  expect(await context.db.selectFrom("moved_sign_ups").select("unsubscribed_at").execute()).toEqual([
    { unsubscribed_at: expect.any(Date) },
  ]);
  await context.db.pool.query("update moved_sign_ups set unsubscribed_at = null");
  await during("select return_sign_ups(array[$1::bigint])", id);
  expect((await unsubscribing)?.statusCode).toBe(200);
  expect(await rows()).toMatchObject([{ newsletter: false }]);
  expect((await ledger()).map(({ given }) => given)).toEqual([true, false]);
});

test("someone who leaves while they are moved is erased, and nothing else on their page works", async () => {
  const { page } = await aSubscriber({ isConfirmed: true });
  const undo = await move();
  expect((await context.app.inject(page)).statusCode).toBe(404);
  for (const button of ["confirm", "details", "answers", "newsletter"])
    expect((await press(`${page}/${button}`, "wanted=no&firstName=x&lastName=y")).statusCode).toBe(404);
  expect((await press(`${page}/leave`)).statusCode).toBe(303);
  expect(await undo()).toBe(0);
  expect(await rows()).toEqual([]);
  expect(await ledger()).toEqual([]);
});

test("the download of someone who was moved has everything that it had before, with their answers", async () => {
  const { id, page } = await aSubscriber({ isConfirmed: true });
  const [size, tools] = await addQuestions(context.db, TEAM_SIZE, TOOLS);
  await answerAs(context.db, EMAIL, { [size?.id ?? ""]: [2], [tools?.id ?? ""]: [1, 3] });
  await context.db.pool.query("insert into deliveries (message_id, sign_up_id) values (1, $1)", [id]);
  const { "Your mailbox": _, ...before } = (await context.app.inject(`${page}/data`)).json();
  expect(before["Your answers"]).toEqual([{ [TEAM_SIZE.text]: "11–50" }, { [TOOLS.text]: "Jira; Email" }]);
  await move();
  const after = JSON.parse(JSON.stringify(await readDownload(context.db, keyOf(EMAIL))));
  const aside = Object.keys(before).filter((section) => before[section].length === 0 && delete before[section]);
  expect(aside).toEqual([FORMS, ASIDE]);
  expect(after[ASIDE]).toEqual([expect.objectContaining(before)]);
});
