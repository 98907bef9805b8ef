import { createHash, createHmac, generateKeyPairSync } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { exportSPKI, importJWK, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { INVITATION_KEYS_PATH, MEMBERSHIP_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { readConfig } from "#core/config/config.ts";
import { createKeys } from "#core/config/keys.ts";
import { inviteUrl, inviteUrlWith } from "#core/invitations/invitation-tokens.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { memberToken } from "#core/members/links.ts";
import { renderPreview } from "#core/messages/preview.ts";
import { createApp } from "#server/app.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { PRODUCT, useVerifier } from "#tests/support/invitation-verifier.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useEmptyList } from "#tests/support/test-database.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const SECRET = "a secret of at least 32 characters";
const [oldKey, newKey, foreignKey] = [aKey(), aKey(), aKey()];
const ada = { email_key: "ada@example.com" };
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

const verifyAt = useVerifier();
const verify = (...tokens: string[]) => verifyAt(origin, tokens);

/** The only member's page. */
async function memberPage(): Promise<string> {
  const member = await context.db.selectFrom("sign_ups").selectAll().executeTakeFirstOrThrow();
  return `${MEMBERSHIP_PATH}/${memberToken(createKeys(SECRET), member, new Date(Date.now() + 60_000))}`;
}

const settings = (...keys: string[]) =>
  readConfig({
    DATABASE_URL: context.url,
    SECRET,
    PUBLIC_ORIGIN: origin,
    INVITE_URL: `${PRODUCT}/join?plan=team`,
    INVITE_KEYS: keys.join("\n"),
  });

function invitationsWith(...keys: string[]) {
  const { invitations } = settings(...keys);
  if (!invitations) throw new Error("Invitations aren't configured");
  return invitations;
}

/** Restarts the server with these keys. */
async function serveWith(...keys: string[]): Promise<FastifyInstance> {
  await app?.close();
  const { invitations } = settings(...keys);
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

  await inviteNext(context.db, OPERATOR, {}, 1);
  const { body } = await server.inject(page);
  expect(body).toContain("You're invited");
  const [, href = ""] = /class="button" href="([^"]+)"/.exec(body) ?? [];
  expect(href).toMatch(/^https:\/\/app\.farwatch\.example\/join\?plan=team&amp;invitation=/);
  const [claims] = await verify(tokenOf(href.replaceAll("&amp;", "&")));
  const { jti, email_hash } = claims as JWTPayload;
  expect(claims).toEqual({
    iss: origin,
    aud: PRODUCT,
    sub: expect.stringMatching(/^[\w-]{22}$/),
    jti: expect.stringMatching(/^[\w-]{22}$/),
    iat: expect.any(Number),
    exp: ((claims as JWTPayload).iat ?? 0) + 30 * 86_400,
    email_hash: createHash("sha256").update(`${jti}:ada@example.com`).digest("base64url"),
  });
  expect(email_hash).not.toContain("ada");
});

test("rejects forged, expired and misdirected invitations", async () => {
  const server = await serveWith(oldKey);
  const [published] = (await server.inject(INVITATION_KEYS_PATH)).json<{ keys: [JWK] }>().keys;
  const claims = { iss: origin, aud: PRODUCT, sub: "ada", jti: "one" };
  const publicPem = await exportSPKI((await importJWK(published, "EdDSA")) as CryptoKey);
  const head = Buffer.from(JSON.stringify({ alg: "HS256", kid: published.kid })).toString("base64url");
  const body = Buffer.from(JSON.stringify({ ...claims, exp: 4_102_444_800 })).toString("base64url");
  const symmetric = (secret: string | Buffer) =>
    `${head}.${body}.${createHmac("sha256", secret).update(`${head}.${body}`).digest("base64url")}`;
  const { keys, ...config } = invitationsWith(oldKey);
  const [valid, foreign] = [await tokenBy(oldKey), await tokenBy(foreignKey)];
  const [signingKey] = keys.invitations;
  if (!signingKey) throw new Error("No key");
  const withForeignSignature = await new SignJWT(claims)
    .setProtectedHeader({ alg: "EdDSA", kid: String(published.kid) })
    .setExpirationTime("1 day")
    .sign(invitationsWith(foreignKey).keys.invitations[0] ?? signingKey);
  const issue = async (changes: object, now = new Date()) =>
    tokenOf(await inviteUrl({ ...config, keys, ...changes }, ada, wave, now));

  expect(
    await verify(
      valid,
      foreign,
      withForeignSignature,
      new UnsecuredJWT(claims).setExpirationTime("1 day").encode(),
      symmetric(publicPem),
      symmetric(Buffer.from(String(published.x), "base64url")),
      `${valid.split(".")[0]}.${body}.${valid.split(".")[2]}`,
      await issue({}, new Date(Date.now() - 30 * 86_400_000 - 1000)),
      await issue({ url: "https://other.example/join" }),
      await issue({ issuer: "https://other.example" }),
    ),
  ).toEqual([
    expect.objectContaining({ iss: origin }),
    "ERR_JWKS_NO_MATCHING_KEY",
    "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
    "ERR_JOSE_ALG_NOT_ALLOWED",
    "ERR_JOSE_ALG_NOT_ALLOWED",
    "ERR_JOSE_ALG_NOT_ALLOWED",
    "ERR_JWS_SIGNATURE_VERIFICATION_FAILED",
    "ERR_JWT_EXPIRED",
    "ERR_JWT_CLAIM_VALIDATION_FAILED",
    "ERR_JWT_CLAIM_VALIDATION_FAILED",
  ]);
});

test("accepts an invitation after a key rotation, until its key is withdrawn", async () => {
  const [before, after] = [await tokenBy(oldKey), await tokenBy(newKey, oldKey)];
  const valid = expect.objectContaining({ iss: origin });
  await serveWith(newKey, oldKey);
  expect(await verify(before, after)).toEqual([valid, valid]);
  await serveWith(newKey);
  expect(await verify(before, after)).toEqual(["ERR_JWKS_NO_MATCHING_KEY", valid]);
});

test("rejects the invitation in a preview or test email", async () => {
  await serveWith(oldKey);
  const links = { keys: createKeys(SECRET), origin, inviteUrl: inviteUrlWith(invitationsWith(oldKey)) };
  const { text } = await renderPreview({ kind: "invitation", subject: "Hi", body: "{{inviteUrl}}" }, links);
  const url = text.split("\n")[0] ?? "";
  expect(url).toContain(`${PRODUCT}/join?plan=team&invitation=`);
  expect(await verify(tokenOf(url))).toEqual(["ERR_JWS_INVALID"]);
});

test("publishes public keys only, for five minutes", async () => {
  const server = await serveWith(newKey, oldKey);
  const response = await server.inject(INVITATION_KEYS_PATH);
  expect(response.headers).toMatchObject({
    "content-type": "application/jwk-set+json; charset=utf-8",
    "cache-control": "public, max-age=300",
  });
  expect(response.headers).not.toHaveProperty("access-control-allow-origin");
  const { keys } = response.json<{ keys: JWK[] }>();
  expect(keys.map((key) => Object.keys(key).toSorted())).toEqual(
    keys.map(() => ["alg", "crv", "kid", "kty", "use", "x"]),
  );
  expect(keys).toHaveLength(2);
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
