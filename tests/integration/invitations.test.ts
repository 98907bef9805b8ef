import { createHash, generateKeyPairSync } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { exportSPKI, importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { INVITATION_KEYS_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { readConfig } from "#core/config/config.ts";
import { createKeys } from "#core/config/keys.ts";
import { uninviteWave } from "#core/invitations/uninvite.ts";
import { readTakenBack } from "#core/invitations/wave-results.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { inviteUrl } from "#core/links/invitation-tokens.ts";
import { createApp } from "#server/app.ts";
import { renderPreview } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useFolder } from "#tests/support/folder.ts";
import { pageOf, SECRET } from "#tests/support/members.ts";
import { runNode } from "#tests/support/run-node.ts";
import { aSignUp, stored } from "#tests/support/sign-ups.ts";
import { useEmptyList } from "#tests/support/test-database.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const PRODUCT = "https://app.farwatch.example";
const [oldKey, newKey, foreignKey] = [aKey(), aKey(), aKey()];
const ada = { id: "1", ...stored("ada@example.com") };
const wave = "7";
const context = useEmptyList();
let origin: string;
let app: FastifyInstance | undefined;

function aKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

beforeAll(async () => {
  origin = `http://127.0.0.1:${await freePort()}`;
});

/** The product's side: a program with jose and the code from docs/invitations.md, and none of our other code. */
const { folder, aFile } = useFolder();
mkdirSync(join(folder, "node_modules"));
symlinkSync(realpathSync("node_modules/jose"), join(folder, "node_modules/jose"));
aFile("package.json", '{ "type": "module" }');
aFile("verify-invitation.js", /```js\n(.+?)```/s.exec(readFileSync("docs/invitations.md", "utf8"))?.[1] ?? "");
const verifier = aFile(
  "main.js",
  `import { verifyInvitation } from "./verify-invitation.js";
  const results = process.argv.slice(2).map((token) => verifyInvitation(token).catch(({ code }) => code));
  console.log(JSON.stringify(await Promise.all(results)));`,
);

/** Lets the product verify tokens, and returns each one's claims or why it is invalid. */
async function verify(...tokens: string[]): Promise<(JWTPayload | string)[]> {
  const { stdout, stderr } = await runNode(verifier, { WAITLIST_ORIGIN: origin, APP_ORIGIN: PRODUCT }, tokens);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

/** The page of the only member. */
async function memberPage(): Promise<string> {
  const member = await context.db.selectFrom("sign_ups").selectAll().executeTakeFirstOrThrow();
  return pageOf(member);
}

function invitationsWith(...keys: string[]) {
  const { invitations } = readConfig({
    DATABASE_URL: context.url,
    SECRET,
    PUBLIC_ORIGIN: origin,
    INVITE_URL: `${PRODUCT}/join?plan=team`,
    INVITE_KEYS: keys.join("\n"),
  });
  if (!invitations) throw new Error("Invitations aren't configured");
  return invitations;
}

/** Restarts the server with these keys. */
async function serveWith(...keys: string[]): Promise<FastifyInstance> {
  await app?.close();
  const invitations = invitationsWith(...keys);
  app = await createApp({ db: context.db, ...unlimited, keys: createKeys(SECRET), invitations });
  await app.listen({ host: "127.0.0.1", port: Number(new URL(origin).port) });
  return app;
}
afterAll(() => app?.close());

const tokenOf = (url: string) => new URL(url).searchParams.get("invitation") ?? "";
const tokenBy = async (...keys: string[]) => tokenOf(await inviteUrl(invitationsWith(...keys), ada, wave));

test("the product lets an invited member in by the link on the member page", async () => {
  const server = await serveWith(oldKey);
  await server.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp({ email: "Ada@Example.com" }) });
  const page = await memberPage();
  expect((await server.inject(page)).body).not.toContain("invited");

  const invited = await inviteNext(context.db, OPERATOR, {}, 1);
  const { body } = await server.inject(page);
  expect(body).toContain("You're invited");
  const [, href = ""] = /class="button" href="([^"]+)"/.exec(body) ?? [];
  expect(href).toMatch(/^https:\/\/app\.farwatch\.example\/join\?plan=team&amp;invitation=/);
  const [claims] = await verify(tokenOf(href.replaceAll("&amp;", "&")));
  const { jti, iat = 0 } = claims as JWTPayload;
  expect(claims).toEqual({
    iss: origin,
    aud: PRODUCT,
    sub: expect.stringMatching(/^[\w-]{22}$/),
    jti: expect.stringMatching(/^[\w-]{22}$/),
    iat: expect.any(Number),
    exp: iat + 30 * 86_400,
    email_hash: createHash("sha256").update(`${jti}:ada@example.com`).digest("base64url"),
    member: expect.stringMatching(/^\d+$/),
  });
  // Once the invitation is taken back, the page has no link, and the product can be told which ID to refuse.
  await uninviteWave(context.db, OPERATOR, invited.id);
  expect((await server.inject(page)).body).not.toContain("invited");
  expect(await readTakenBack(context.db, createKeys(SECRET), invited.id)).toEqual([jti]);
});

test("rejects forged, expired and misdirected invitations, and those in a preview or test email", async () => {
  const server = await serveWith(oldKey);
  const response = await server.inject(INVITATION_KEYS_PATH);
  expect(response.headers).toMatchObject({
    "content-type": "application/jwk-set+json; charset=utf-8",
    "cache-control": "public, max-age=300",
  });
  expect(response.headers).not.toHaveProperty("access-control-allow-origin");
  const [published] = response.json<{ keys: [JWK] }>().keys;
  const publicPem = await exportSPKI((await importJWK(published, "EdDSA")) as CryptoKey);
  const symmetric = await new SignJWT({ iss: origin, aud: PRODUCT, sub: "ada", jti: "one" })
    .setProtectedHeader({ alg: "HS256", kid: String(published.kid) })
    .setExpirationTime("1 day")
    .sign(Buffer.from(publicPem));
  const config = invitationsWith(oldKey);
  const issue = async (changes: object, now = new Date()) =>
    tokenOf(await inviteUrl({ ...config, ...changes }, ada, wave, now));
  const [valid, otherAudience] = [await tokenBy(oldKey), await issue({ url: "https://other.example/join" })];
  const [head, , signature] = valid.split(".");
  const links = { keys: createKeys(SECRET), origin, postalAddress: "", invitations: config };
  const preview = await renderPreview({ kind: "invitation", subject: "Hi", body: "{{inviteUrl}}" }, links);
  const previewUrl = preview.text.split("\n")[0] ?? "";
  expect(previewUrl).toContain(`${PRODUCT}/join?plan=team&invitation=`);

  const expected: [string, unknown][] = [
    [valid, expect.objectContaining({ iss: origin })],
    [await tokenBy(foreignKey), "ERR_JWKS_NO_MATCHING_KEY"],
    [symmetric, "ERR_JOSE_ALG_NOT_ALLOWED"],
    [`${head}.${otherAudience.split(".")[1]}.${signature}`, "ERR_JWS_SIGNATURE_VERIFICATION_FAILED"],
    [await issue({}, new Date(Date.now() - 30 * 86_400_000 - 1000)), "ERR_JWT_EXPIRED"],
    [otherAudience, "ERR_JWT_CLAIM_VALIDATION_FAILED"],
    [await issue({ issuer: "https://other.example" }), "ERR_JWT_CLAIM_VALIDATION_FAILED"],
    [tokenOf(previewUrl), "ERR_JWS_INVALID"],
  ];
  expect(await verify(...expected.map(([token]) => token))).toEqual(expected.map(([, result]) => result));
});

test("accepts an invitation after a key rotation, until its key is withdrawn", async () => {
  const [before, after] = [await tokenBy(oldKey), await tokenBy(newKey, oldKey)];
  const valid = expect.objectContaining({ iss: origin });
  await serveWith(newKey, oldKey);
  expect(await verify(before, after)).toEqual([valid, valid]);
  await serveWith(newKey);
  expect(await verify(before, after)).toEqual(["ERR_JWKS_NO_MATCHING_KEY", valid]);
});

test("without INVITE_URL there are no keys, and the member page shows only the date", async () => {
  const plain = await createApp({ db: context.db, ...unlimited, keys: createKeys(SECRET) });
  const [unknown, keys] = [await plain.inject("/api/nothing"), await plain.inject(INVITATION_KEYS_PATH)];
  expect([keys.statusCode, keys.body]).toEqual([404, unknown.body]);
  await plain.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp() });
  await inviteNext(context.db, OPERATOR, {}, 1);
  expect((await plain.inject(await memberPage())).body).not.toContain("You're invited");
  await plain.close();
});
