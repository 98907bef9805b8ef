// Past 200 lines, because all refusals share the set-up of an invitation and the table of responses.
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import { decodeJwt, SignJWT, UnsecuredJWT } from "jose";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { ACCEPTED_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { makeAcceptanceSecret } from "#core/invitations/acceptance-secrets.ts";
import { uninvitePerson, uninviteWave } from "#core/invitations/uninvite.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { erase } from "#core/retention/erase.ts";
import { acceptance, daysAgo, invitationsBy, sign, tokenFor } from "#tests/support/acceptances.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useFolder } from "#tests/support/folder.ts";
import { fingerprint, forgedAcceptances } from "#tests/support/forged-acceptances.ts";
import type { Signed } from "#tests/support/mail-providers.ts";
import { pageOf, SECRET } from "#tests/support/members.ts";
import { addMany, addPeople } from "#tests/support/people.ts";
import { runNode } from "#tests/support/run-node.ts";
import { useTestApp } from "#tests/support/test-app.ts";

const ADA = "ada@example.com";
const { privateKey: foreignKey } = generateKeyPairSync("ed25519");
const context = useTestApp({ invitations: invitationsBy() });
const { aFile } = useFolder();
let app: FastifyInstance;
let secret: string;
let wave: string;

beforeEach(async () => {
  ({ secret } = await makeAcceptanceSecret(context.db, OPERATOR));
  // Opens a server that hasn't cached another test's secrets.
  app = await context.openApp();
  await addPeople(context.db, [{ email: ADA }, { email: "bob@example.com" }]);
  ({ id: wave } = await inviteNext(context.db, OPERATOR, {}, 1));
});

async function ada() {
  const [person] = await context.rows();
  if (!person) throw new Error("Nobody is on the list");
  return person;
}
const acceptedAt = async () => (await ada()).accepted_at;

async function post({ payload, headers }: Signed, to = app) {
  const response = await to.inject({ method: "POST", url: ACCEPTED_PATH, payload, headers });
  return { status: response.statusCode, ...response.json() };
}
const report = (token: unknown, at?: unknown) => post(sign(acceptance(token, at), secret));

const ACCEPTED = { status: 200, outcome: "accepted" };
const REPEATED = { status: 200, outcome: "repeated" };
const UNKNOWN = {
  status: 404,
  detail: "Nobody on the list has this invitation. They may have left.",
};
const TAKEN_BACK = { status: 409, detail: "This invitation was taken back." };
const EXPIRED = { status: 410, detail: "This invitation had expired by then." };
const FORGED = { status: 422, detail: "This token isn't one of our invitations." };
const UNSIGNED = { status: 401, detail: "The signature isn't by a current secret, or is more than five minutes old." };

test("an invitation is accepted when the product says, once, and a repeat or replay changes nothing", async () => {
  const token = await tokenFor(await ada());
  await context.db.pool.query("update sign_ups set invited_at = now() - interval '1 day' where wave_id is not null");
  const hourAgo = new Date(Date.now() - 3_600_000);
  const signed = sign(acceptance(token, hourAgo.toISOString()), secret);
  expect(await post(signed)).toEqual(ACCEPTED);
  expect(await acceptedAt()).toEqual(hourAgo);
  expect(await post(signed)).toEqual(REPEATED);
  expect(await report(token)).toEqual(REPEATED);
  expect(await acceptedAt()).toEqual(hourAgo);
  expect((await context.rows()).map(({ accepted_at }) => accepted_at)).toEqual([hourAgo, null]);
  const events = await context.db.selectFrom("webhook_events").select("type").execute();
  expect(events.filter(({ type }) => type === "person.accepted")).toHaveLength(1);
});

test("reports of the same invitation at once are accepted once", async () => {
  const token = await tokenFor(await ada());
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => report(token)));
  expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(["accepted", ...Array(7).fill("repeated")]);
});

test("the time isn't before the invitation, and not in the future", async () => {
  const { invited_at } = await ada();
  const token = await tokenFor(await ada());
  await report(token, daysAgo(3).toISOString());
  expect(await acceptedAt()).toEqual(invited_at);
  await context.db.pool.query("update sign_ups set accepted_at = null");
  await report(token, daysAgo(-3).toISOString());
  expect(Math.abs(Number(await acceptedAt()) - Date.now())).toBeLessThan(5000);
});

/** A copy of our token with other claims, signed with our key unless another is given. */
async function reissue(changes: object, { alg = "EdDSA", key = invitationsBy().keys.invitations[0] } = {}) {
  const claims = { ...decodeJwt(await tokenFor(await ada())), ...changes };
  if (!key) throw new Error("There is no key");
  return new SignJWT(claims).setProtectedHeader({ alg }).sign(key);
}

test.each<[string, () => Promise<unknown>]>([
  ["another key", async () => tokenFor(await ada(), invitationsBy(foreignKey))],
  ["another key, without its id", () => reissue({}, { key: foreignKey })],
  ["another issuer", async () => tokenFor(await ada(), { ...invitationsBy(), issuer: "https://other.example" })],
  ["another product", async () => tokenFor(await ada(), { ...invitationsBy(), url: "https://other.example/join" })],
  ["no algorithm", async () => new UnsecuredJWT(decodeJwt(await tokenFor(await ada()))).encode()],
  [
    "a changed claim",
    async () => (await tokenFor(await ada())).replace(/\.(.)/, (_, first) => `.${first === "e" ? "f" : "e"}`),
  ],
])("a token by or for %s is forged", async (_what, forge) => {
  expect(await report(await forge())).toMatchObject(FORGED);
  expect(await acceptedAt()).toBeNull();
});

test("an invitation must have been valid when it was used, not when we hear of it", async () => {
  const issuedAt = daysAgo(40);
  await context.db.pool.query("update sign_ups set invited_at = now() - interval '40 days' where wave_id is not null");
  const token = await tokenFor(await ada(), invitationsBy(), issuedAt);
  expect(await report(token)).toMatchObject(EXPIRED);
  expect(await report(token, daysAgo(9.9).toISOString())).toMatchObject(EXPIRED);
  expect(await acceptedAt()).toBeNull();
  expect(await report(token, daysAgo(10.1).toISOString())).toEqual(ACCEPTED);
});

test("an invitation that was taken back isn't accepted, even if another one followed", async () => {
  const token = await tokenFor(await ada());
  await uninviteWave(context.db, OPERATOR, wave);
  expect(await report(token)).toMatchObject(TAKEN_BACK);
  await inviteNext(context.db, OPERATOR, {}, 1);
  expect(await report(token)).toMatchObject(TAKEN_BACK);
  expect(await acceptedAt()).toBeNull();
  expect(await report(await tokenFor(await ada()))).toEqual(ACCEPTED);
  // An accepted invitation can't be taken back.
  expect(await uninvitePerson(context.db, OPERATOR, (await ada()).id)).toBe(false);
});

test("the invitation of someone who was erased, or joined again, is unknown", async () => {
  const person = await ada();
  const token = await tokenFor(person);
  await erase(context.db, OPERATOR, person.email_key, createKeys(SECRET));
  expect(await report(token)).toMatchObject(UNKNOWN);
  await addPeople(context.db, [{ email: ADA }]);
  await inviteNext(context.db, OPERATOR, {}, 9);
  expect(await report(token)).toMatchObject(UNKNOWN);
  expect((await context.rows()).filter(({ accepted_at }) => accepted_at)).toEqual([]);
});

test("after a restore, a token isn't for anyone else who has its number now", async () => {
  await context.db.pool.query("update sign_ups set invited_at = now(), wave_id = $1", [wave]);
  const [, bob] = await context.rows();
  expect(await report(await reissue({ member: bob?.id }))).toMatchObject(UNKNOWN);
  expect((await context.rows()).map(({ accepted_at }) => accepted_at)).toEqual([null, null]);
});

test.each<[string, string]>([
  ["no JSON", "{"],
  ["nothing", ""],
  ["another event", JSON.stringify({ type: "person.accepted", timestamp: new Date(), data: { token: "x" } })],
  ["no time", acceptance("x", "yesterday")],
  ["a number as time", acceptance("x", 1_800_000_000)],
  ["no token", acceptance(undefined)],
])("a body with %s is malformed", async (_what, payload) => {
  const signed = sign(payload, secret);
  expect(await post({ ...signed, headers: { ...signed.headers, "content-type": "application/json" } })).toMatchObject({
    status: 400,
    detail: "Some fields are invalid.",
  });
});

test.each<[string, (body: string) => Signed]>([
  ["by another secret", (body) => sign(body, `whsec_${Buffer.alloc(32, "x").toString("base64")}`)],
  ["of another body", (body) => ({ ...sign(`${body} `, secret), payload: body })],
  ["of six minutes ago", (body) => sign(body, secret, new Date(Date.now() - 360_000))],
  ["of six minutes ahead", (body) => sign(body, secret, new Date(Date.now() + 360_000))],
  ["that is missing", (payload) => ({ payload, headers: {} })],
])("a signature %s is refused", async (_what, signed) => {
  const body = acceptance(await tokenFor(await ada()));
  expect(await post(signed(body))).toMatchObject(UNSIGNED);
  expect(await acceptedAt()).toBeNull();
});

test("the newest secret works, and each for a day after it was replaced, even if that was twice in a row", async () => {
  const body = acceptance(await tokenFor(await ada()));
  const make = async () => (await makeAcceptanceSecret(context.db, OPERATOR)).secret;
  const [first, second] = [secret, await make()];
  const statuses = async (...secrets: string[]) => {
    const server = await context.openApp();
    return Promise.all(secrets.map(async (each) => (await post(sign(body, each), server)).status));
  };
  expect(await statuses(first, second)).toEqual([200, 200]);
  await context.db.pool.query("update acceptance_secrets set created_at = created_at - interval '25 hours'");
  expect(await statuses(first, second)).toEqual([401, 200]);
  const third = await make();
  expect(await statuses(first, second, third)).toEqual([401, 200, 200]);
  const fourth = await make();
  expect(await statuses(first, second, third, fourth)).toEqual([401, 200, 200, 200]);
  await context.db.deleteFrom("acceptance_secrets").execute();
  expect(await statuses(fourth)).toEqual([401]);
});

test("forged reports read the secrets once in ten seconds", async () => {
  const query = vi.spyOn(context.db.pool, "query");
  for (let time = 0; time < 20; time += 1) await post({ payload: "{}", headers: {} });
  expect(query).toHaveBeenCalledTimes(1);
  query.mockRestore();
});

test("forged, malformed and replayed reports change no row, and get no 5xx", async () => {
  await addMany(context.db, 40);
  const send = async (signed: Signed): Promise<number> => (await post(signed)).status;
  app = await context.openApp();
  await context.db.deleteFrom("acceptance_secrets").execute();
  const forgeries = await forgedAcceptances(context.db, invitationsBy(), send);
  const before = await fingerprint(context.db);
  expect(before).toMatchObject({ accepted: 10 });
  const statuses = new Set<number>();
  for (const forged of fc.sample(forgeries, 1000)) statuses.add(await send(forged));
  expect([...statuses].toSorted()).toEqual([200, 400, 401, 404, 409, 410, 422]);
  expect(await fingerprint(context.db)).toEqual(before);
});

test("a report is at most 4 KiB, has a limit per client, and is off without INVITE_URL", async () => {
  expect(await report("x".repeat(4096))).toMatchObject({ status: 413 });
  const request = { method: "POST", url: ACCEPTED_PATH, payload: "{}" } as const;
  const statuses: number[] = [];
  for (let time = 0; time <= 6000; time += 1)
    statuses.push((await app.inject({ ...request, remoteAddress: "192.0.2.1" })).statusCode);
  expect([statuses.at(-2), statuses.at(-1)]).toEqual([401, 429]);
  expect((await app.inject({ ...request, remoteAddress: "192.0.2.2" })).statusCode).toBe(401);
  const off = await context.openApp({}, { invitations: undefined });
  expect((await off.inject(request)).statusCode).toBe(404);
});

test("the member's page says that they're in, and has no link any more", async () => {
  const page = pageOf(await ada());
  expect((await app.inject(page)).body).toContain("Accept invitation");
  await report(await tokenFor(await ada()));
  const { body } = await app.inject(page);
  expect(body).toContain("You're in");
  expect(body).not.toMatch(/Accept invitation|You're invited|invitation=/);
});

test("the example in docs/invitations.md reports an invitation, and tries again after 429 and 5xx", async () => {
  const [, , example = ""] = readFileSync("docs/invitations.md", "utf8").split("```js\n");
  aFile("report-accepted.mjs", example.split("```")[0] ?? "");
  const main = aFile(
    "main.mjs",
    `import { reportAccepted } from "./report-accepted.mjs";
    console.log(JSON.stringify(await Promise.all(process.argv.slice(2).map((token) => reportAccepted(token, new Date())))));`,
  );
  const failures = [503, 429];
  const flaky = createServer(async (request, response) => {
    const payload = Buffer.concat(await request.toArray()).toString();
    const status = failures.pop();
    if (status) return void response.writeHead(status, { "retry-after": "0" }).end();
    const { url = "", headers } = request;
    const answered = await app.inject({ method: "POST", url, payload, headers: headers as Record<string, string> });
    response.writeHead(answered.statusCode).end(answered.body);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void flaky.close());
  await once(flaky, "listening");
  const { port } = flaky.address() as AddressInfo;
  const env = { WAITLIST_ORIGIN: `http://127.0.0.1:${port}`, ACCEPTANCE_SECRET: secret };
  const { stdout, stderr } = await runNode(main, env, [await tokenFor(await ada()), "forged"]);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual([200, 422]);
  expect(failures).toEqual([]);
  expect(await acceptedAt()).toEqual(expect.any(Date));
});
