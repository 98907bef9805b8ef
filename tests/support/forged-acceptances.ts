import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { decodeJwt, UnsecuredJWT } from "jose";
import { sql } from "kysely";
import type { InvitationConfig } from "#core/config/config.ts";
import type { Database } from "#core/database/connect.ts";
import { makeAcceptanceSecret } from "#core/invitations/acceptance-secrets.ts";
import { uninviteWave } from "#core/invitations/uninvite.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { acceptance, invitationsBy, sign, tokenFor } from "./acceptances.ts";
import { OPERATOR } from "./an-operator.ts";
import type { Signed } from "./mail-providers.ts";
import { inDays } from "./members.ts";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.constantFrom("", "\0", "\ud800", "a.b.c", ".."),
);
const anyValue = fc.oneof(text, fc.jsonValue(), fc.constantFrom(null, [], {}, 1e308));
const wrongSecret = `whsec_${Buffer.alloc(32, "x").toString("base64")}`;

/**
 * Reports of acceptances, none of which may change a row: something in the report is invalid, or the person accepted
 * already or is no longer invited. The list needs 40 confirmed people.
 */
export async function forgedAcceptances(
  db: Database,
  invitations: InvitationConfig,
  post: (signed: Signed) => Promise<number>,
): Promise<fc.Arbitrary<Signed>> {
  const { secret } = await makeAcceptanceSecret(db, OPERATOR);
  const { id: wave } = await inviteNext(db, OPERATOR, {}, 20);
  const { id: takenBack } = await inviteNext(db, OPERATOR, {}, 10);
  const invited = db.selectFrom("sign_ups").selectAll().where("wave_id", "in", [wave, takenBack]).orderBy("id");
  const people = await invited.execute();
  await uninviteWave(db, OPERATOR, takenBack);
  const tokens = (of: typeof people, by = invitations, issuedAt = new Date()) =>
    Promise.all(of.map((person) => tokenFor(person, by, issuedAt)));
  const inWave = people.filter(({ wave_id }) => wave_id === wave);
  const good = await tokens(inWave.slice(0, 10));
  const accepted = (await tokens(inWave.slice(10))).map((token) => sign(acceptance(token), secret));
  for (const each of accepted) await post(each);

  const foreign = invitationsBy(generateKeyPairSync("ed25519").privateKey);
  const refused = [
    ...(await tokens(people.filter(({ wave_id }) => wave_id === takenBack))),
    ...(await tokens(inWave, { ...invitations, keys: foreign.keys })),
    ...(await tokens(inWave, { ...invitations, issuer: "https://other.example" })),
    ...(await tokens(inWave, { ...invitations, url: "https://other.example/" })),
    ...(await tokens(inWave, invitations, inDays(-40))),
    ...(await tokens(inWave.map((person) => ({ ...person, id: "999999" })))),
    ...good.map((token) => new UnsecuredJWT(decodeJwt(token)).encode()),
  ];
  const goodToken = fc.constantFrom(...good);
  const signed = (body: fc.Arbitrary<string>) => body.map((payload) => sign(payload, secret));
  return fc.oneof(
    fc.constantFrom(...accepted),
    signed(fc.constantFrom(...refused).map((token) => acceptance(token))),
    signed(fc.tuple(goodToken, fc.nat(), fc.nat(3), text).map((change) => acceptance(mutate(...change)))),
    signed(
      fc
        .tuple(goodToken, anyValue)
        .filter(([, at]) => Number.isNaN(Date.parse(`${at}`)))
        .map(([token, at]) => acceptance(token, at)),
    ),
    signed(anyValue.map((token) => acceptance(token))),
    signed(anyValue.map((value) => JSON.stringify(value) ?? "")),
    signed(
      fc.tuple(goodToken, fc.nat()).map(([token, at]) => acceptance(token).slice(0, at % acceptance(token).length)),
    ),
    signed(text),
    goodToken.map((token) => sign(acceptance(token), wrongSecret)),
    goodToken.map((token) => sign(acceptance(token), secret, new Date(Date.now() - 400_000))),
    goodToken.map((token) => ({ ...sign(acceptance("x"), secret), payload: acceptance(token) })),
    fc.tuple(goodToken, text).map(([token, signature]) => withSignature(sign(acceptance(token), secret), signature)),
  );
}

/** Replaces, inserts or removes characters in a token's signed part. */
function mutate(token: string, at: number, removed: number, inserted: string): string {
  const start = at % token.lastIndexOf(".");
  const changed = token.slice(0, start) + inserted.slice(0, at % 4) + token.slice(start + removed);
  return changed === token ? `${token}x` : changed;
}

/** Removes characters that a header can't contain. */
function withSignature({ payload, headers }: Signed, signature: string): Signed {
  const text = signature.replaceAll(/[^\x20-\x7e]/g, "");
  return { payload, headers: { ...headers, "webhook-signature": `v1,${text}` } };
}

/** A fingerprint of everyone on the list, and of the events about them. */
export async function fingerprint(db: Database): Promise<unknown> {
  const { rows } = await sql`
    select md5(string_agg(sign_ups::text, ',' order by id)) as list, (select count(*) from webhook_events) as events,
      count(accepted_at)::integer as accepted
    from sign_ups`.execute(db);
  return rows[0];
}
