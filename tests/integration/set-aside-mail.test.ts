import { expect, test } from "vitest";
import { confirmAddress } from "#core/members/member.ts";
import { readMessage } from "#core/messages/messages.ts";
import { changeMessage, draftForRest } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { inTransaction } from "#tests/support/in-transaction.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { useMail } from "#tests/support/mail-worker.ts";
import { sendNews } from "#tests/support/messages.ts";
import { addPeople } from "#tests/support/people.ts";
import { setAllAside } from "#tests/support/set-aside.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const mail = useMail();
const ADA = { email: "ada@example.com" };
const stateOf = async (id: string) => (await readMessage(mail.db, id))?.state;
const sent = async () => (await mail.deliver()).map(({ email }) => email);

test("a confirmation that is due waits for someone who is set aside, and delays nobody", async () => {
  await mail.join(aSignUp(ADA));
  const bringBack = await setAllAside(mail.db);
  await mail.join(aSignUp({ email: "bob@example.com" }));
  expect(await mail.queue()).toMatchObject({ waiting: 1 });
  expect(await sent()).toEqual(["bob@example.com"]);
  expect(await sent()).toEqual([]);
  expect(await mail.confirmations()).toHaveLength(1);
  await bringBack();
  expect(await sent()).toEqual([ADA.email]);
});

test("an invitation that was prepared leaves once its owner is brought back, or confirms", async () => {
  for (const isConfirming of [false, true]) {
    const [domain, email] = [`${isConfirming}.test`, `ada@${isConfirming}.test`];
    const [person = ""] = await addPeople(mail.db, [{ email }]);
    const message = await sendNews(mail.db, { kind: "invitation" });
    const bringBack = await setAllAside(mail.db, { domain });
    expect(await sent()).toEqual([]);
    expect(await sent()).toEqual([]);
    expect(await stateOf(message)).toBe("sending");
    await (isConfirming ? confirmAddress(mail.db, person) : bringBack());
    expect(await sent()).toEqual([email]);
    expect(await sent()).toEqual([]);
    expect(await stateOf(message)).toBe("done");
  }
});

test("an email that a worker postpones just as its owner is brought back isn't forgotten", async () => {
  await addPeople(mail.db, [ADA]);
  await sendNews(mail.db);
  const bringBack = await setAllAside(mail.db);
  let bringing: Promise<number> | undefined;
  await inTransaction(mail.db.pool, async (client) => {
    await client.query("select from deliveries for update");
    bringing = bringBack();
    await untilBlocked(mail.db);
    await client.query("update deliveries set reason = 'set aside', next_try_at = 'infinity'");
  });
  expect(await bringing).toBe(1);
  expect(await sent()).toEqual([ADA.email]);
});

test("a retry waits too, isn't reported as late, and doesn't expire", async () => {
  await mail.join(aSignUp(ADA));
  expect(await mail.deliver("delayed")).toHaveLength(1);
  const bringBack = await setAllAside(mail.db);
  await mail.pass("3 days");
  expect(await sent()).toEqual([]);
  expect(await mail.queue()).toEqual({ waiting: 0, dead: 0 });
  await bringBack();
  expect(await mail.deliver("delayed")).toHaveLength(1);
  expect(await mail.queue()).toEqual({ waiting: 1, dead: 0 });
});

test("an invitation whose message is canceled goes to the draft for the rest", async () => {
  await addPeople(mail.db, [ADA]);
  const message = await sendNews(mail.db, { kind: "invitation" });
  const bringBack = await setAllAside(mail.db);
  expect(await sent()).toEqual([]);
  await changeMessage(mail.db, OPERATOR, message, "cancel");
  const draft = await draftForRest(mail.db, OPERATOR, message);
  await changeMessage(mail.db, OPERATOR, draft.id, "start");
  expect(await sent()).toEqual([]);
  await bringBack();
  expect(await sent()).toEqual([ADA.email]);
});

test("a reminder that is being sent isn't sent again to someone who is set aside and brought back", async () => {
  const [id = ""] = await addPeople(mail.db, [{ ...ADA, confirmed: false }]);
  await mail.db.pool.query("update messages set state = 'sending' where id = 0");
  await mail.db.pool.query("insert into deliveries (message_id, sign_up_id) values (0, $1)", [id]);
  expect(await mail.deliver("unknown")).toHaveLength(1);
  await mail.db.pool.query("update deliveries set state = 'pending', reason = null");
  await (await setAllAside(mail.db))();
  expect(await sent()).toEqual([]);
});

test("a confirmation that its mailbox's limit postponed takes no slot from the mailbox's other spellings", async () => {
  for (const tag of ["a", "b", "c", "d"]) await mail.join(aSignUp({ email: `ada+${tag}@example.com` }));
  expect(await mail.deliver()).toHaveLength(3);
  const slots = () => mail.db.selectFrom("mailboxes").select("mailed_at").execute();
  const bringBack = await setAllAside(mail.db, { confirmed: false });
  await mail.pass("25 hours");
  const before = await slots();
  expect(await sent()).toEqual([]);
  expect(await slots()).toEqual(before);
  await bringBack();
  expect(await sent()).toEqual(["ada+d@example.com"]);
});
