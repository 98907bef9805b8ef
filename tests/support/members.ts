import type { FastifyInstance } from "fastify";
import { MEMBERSHIP_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import type { SignUp } from "#contract/sign-up.ts";
import { createKeys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import { memberToken } from "#core/members/links.ts";
import { aSignUp } from "./sign-ups.ts";

export const SECRET = "a secret of at least 32 characters";
export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

/** Signs someone up at this app and returns the path of their member page. */
export async function joinAsMember(
  { app, db }: { app: FastifyInstance; db: Database },
  changes: Partial<SignUp> = {},
  expiresAt = inDays(30),
): Promise<string> {
  await app.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp(changes) });
  const member = (await db.selectFrom("sign_ups").selectAll().execute()).at(-1);
  if (!member) throw new Error("Nobody joined");
  return `${MEMBERSHIP_PATH}/${memberToken(createKeys(SECRET), member, expiresAt)}`;
}
