import type { FastifyInstance } from "fastify";
import { vi } from "vitest";
import { MEMBERSHIP_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import type { SignUpInput } from "#contract/sign-up.ts";
import { createKeys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import { createToken } from "#core/links/links.ts";
import { aSignUp } from "./sign-ups.ts";

export const SECRET = "a secret of at least 32 characters";
export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

export const pageOf = (member: { id: string; email_key: string }, expiresAt = inDays(30)) =>
  `${MEMBERSHIP_PATH}/${createToken("membership", createKeys(SECRET), member, expiresAt)}`;

/** Signs someone up at this app and returns the path of their member page. */
export async function joinAsMember(
  { app, db }: { app: FastifyInstance; db: Database },
  changes: Partial<SignUpInput> = {},
  expiresAt = inDays(30),
): Promise<string> {
  const payload = aSignUp(changes);
  // On a busy machine, the app may mistake the test's start-up for overload.
  await vi.waitUntil(
    async () => (await app.inject({ method: "POST", url: WAITLIST_PATH, payload })).statusCode !== 503,
    { timeout: 10_000 },
  );
  const member = (await db.selectFrom("sign_ups").selectAll().execute()).at(-1);
  if (!member) throw new Error("Nobody joined");
  return pageOf(member, expiresAt);
}
