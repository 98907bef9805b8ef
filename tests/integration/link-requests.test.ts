import { sql } from "kysely";
import { expect, test } from "vitest";
import { brand } from "#brand/brand.ts";
import { MEMBERSHIP_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { INVALID_EMAIL } from "#contract/sign-up.ts";
import { LINK } from "#core/mail/recipients.ts";
import { MIN_RESPONSE_MS } from "#server/routes/link-requests.ts";
import { ORIGIN, useMail } from "#tests/support/mail-worker.ts";
import { joinAsMember } from "#tests/support/members.ts";
import { addPeople } from "#tests/support/people.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const mail = useMail();
const ada = aSignUp({ email: "ada@example.com" });

const request = (email: string, headers: Record<string, string> = {}) =>
  mail.app.inject({
    method: "POST",
    url: MEMBERSHIP_PATH,
    payload: new URLSearchParams({ email }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });

/** Clears due emails, and moves everyone's last email into the past. */
async function passTime(time = "25 hours"): Promise<void> {
  await sql`update sign_ups set mail_network = null`.execute(mail.db);
  await mail.pass(time);
}
const confirm = () => sql`update sign_ups set confirmed_at = now()`.execute(mail.db);
const isDue = async () => (await mail.row()).mail_network !== null;

test("the response is the same for every address, on the list or not, and takes the same time", async () => {
  await addPeople(mail.db, [
    { email: "unconfirmed@example.com", confirmed: false },
    { email: "confirmed@example.com" },
    { email: "suppressed@example.com", suppressed: true },
    { email: "mailed@example.com", company: "Mailed" },
  ]);
  await sql`
    insert into deliveries (message_id, sign_up_id, state, mailed_at)
    select ${LINK}, id, 'sent', array[now()] from sign_ups where company = 'Mailed'`.execute(mail.db);
  const responses = new Set<string>();
  for (const name of ["unconfirmed", "confirmed", "suppressed", "mailed", "nobody"]) {
    const startedAt = performance.now();
    const { statusCode, headers, body } = await request(`${name}@example.com`);
    // Timers may fire a millisecond early.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(MIN_RESPONSE_MS - 2);
    expect([statusCode, headers.location]).toEqual([303, `${MEMBERSHIP_PATH}/sent`]);
    responses.add(JSON.stringify({ statusCode, headers: { ...headers, date: "" }, body }));
  }
  expect(responses.size).toBe(1);
  const { body } = await mail.app.inject(`${MEMBERSHIP_PATH}/sent`);
  expect(body).toContain("If this address is on the list and can get another email right now");
  const due = await mail.db
    .selectFrom("sign_ups")
    .select("email")
    .where("mail_network", "is not", null)
    .orderBy("id")
    .execute();
  expect(due.map(({ email }) => email)).toEqual(["unconfirmed@example.com", "confirmed@example.com"]);
});

test("a confirmed person gets a mail with their link, and another one later", async () => {
  await mail.join(ada);
  await passTime();
  await confirm();
  await mail.startWorker();
  await request(" ADA@Example.com ");
  await mail.arrived(1);
  const [sent] = mail.smtp.mails;
  expect(sent?.to).toEqual([{ address: "ada@example.com", name: "" }]);
  expect(sent?.subject).toBe(`Your ${brand.name} waitlist link`);
  expect(sent?.text).not.toMatch(/Confirm/);
  expect(sent?.headers.find(({ key }) => key === "list-unsubscribe")).toBeUndefined();
  const [page = ""] = sent?.text?.match(/https:\S+membership\S+/) ?? [];
  expect((await mail.app.inject(page.slice(ORIGIN.length))).body).toContain("You're on the list");

  // Stops the workers, because they would clear the flag before the test reads it.
  await mail.stopWorkers();
  await request("ada@example.com");
  expect(await isDue()).toBe(false);
  await passTime();
  await request("ada@example.com");
  await mail.startWorker();
  await mail.arrived(2);
  expect(new Set(mail.smtp.mails.map(({ messageId }) => messageId)).size).toBe(2);
});

test("an unconfirmed person gets the confirmation mail", async () => {
  await mail.join(ada);
  await passTime();
  await mail.startWorker();
  await request("ada@example.com");
  await mail.arrived(1);
  expect(mail.smtp.mails[0]?.subject).toBe("Confirm your email address");
});

test("someone who confirms before a confirmation is sent gets no mail that they didn't ask for", async () => {
  mail.smtp.refuseWith = "451";
  await mail.startWorker();
  await mail.join(ada);
  await expect.poll(() => mail.faults.splice(0).length, { timeout: 10_000 }).toBeGreaterThan(0);
  await confirm();
  mail.smtp.refuseWith = undefined;
  await mail.pass("1 hour");
  const states = async () => (await mail.confirmations()).map(({ state, reason }) => `${state} ${reason}`);
  await expect.poll(states, { timeout: 10_000 }).toEqual(["skipped confirmed"]);
  expect(mail.smtp.mails).toHaveLength(0);
  mail.faults.splice(0);
});

test("confirming clears a mail that is due", async () => {
  const page = await joinAsMember(mail);
  expect(await isDue()).toBe(true);
  await mail.app.inject({ method: "POST", url: `${page}/confirm` });
  expect(await isDue()).toBe(false);
});

test("an invalid address comes back with the form's message, and an invalid link with the form", async () => {
  for (const email of ["", "nobody", "ada@xn--iñvalid.com"]) {
    const { statusCode, body } = await request(email);
    expect(statusCode).toBe(400);
    expect(body).toContain(INVALID_EMAIL);
  }
  const { statusCode, body } = await mail.app.inject(`${MEMBERSHIP_PATH}/nonsense`);
  expect(statusCode).toBe(404);
  expect(body).toContain(`<form method="post" action="${MEMBERSHIP_PATH}"`);
  expect(body).toContain("Email me my link");
});

test("another site can't request links with its visitors' browsers", async () => {
  await mail.join(ada);
  await passTime();
  expect((await request("ada@example.com", { "sec-fetch-site": "cross-site" })).statusCode).toBe(403);
  expect((await request("ada@example.com", { origin: "https://elsewhere.test" })).statusCode).toBe(403);
  expect(await isDue()).toBe(false);
});

test("every 201 says that a mail may follow, for bots and retries too", async () => {
  const headers = { "idempotency-key": "0".repeat(32) };
  const bot = aSignUp({ website: "https://spam.example" });
  for (const payload of [ada, ada, bot]) {
    const response = await mail.app.inject({ method: "POST", url: WAITLIST_PATH, payload, headers });
    expect(response.statusCode).toBe(201);
    expect(Object.keys(response.json())).toEqual(["data", "confirmByEmail"]);
    expect(response.json().confirmByEmail).toBe(true);
  }
});
