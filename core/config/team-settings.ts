import * as z from "zod/mini";
import { isEntra, isOrigin, isSecureUrl } from "./setting-rules.ts";
import { secret } from "./setting-schemas.ts";

const isSecureOrigin = (text: string) => isOrigin(text) && isSecureUrl(text);
/** Entra's shared endpoints accept accounts of every company. */
const isOneTenant = (issuer: string) => !isEntra(issuer) || !/\/(common|organizations|consumers)\b/i.test(issuer);

export const teamSettings = {
  CONSOLE_ORIGIN: z.optional(z.string().check(z.refine(isSecureOrigin, "must be an https:// origin"))),
  OIDC_ISSUER: z.optional(
    z
      .string()
      .check(z.refine(isSecureUrl, "must be an https:// URL"), z.refine(isOneTenant, "must name your own tenant")),
  ),
  OIDC_CLIENT_ID: z.optional(z.string()),
  OIDC_CLIENT_SECRET: z.optional(secret),
  OIDC_ROLE_CLAIM: z.optional(z.string()),
};

export function findTeamProblems(given: Record<string, string | undefined>): string[] {
  const needed = ["CONSOLE_ORIGIN", "OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"];
  const missing = needed.filter((name) => !given[name]);
  if (missing.length % needed.length !== 0) return [`${missing.join(" and ")} must be set too, for the team's console`];
  return isEntra(given.OIDC_ISSUER) && !given.OIDC_ROLE_CLAIM
    ? ["OIDC_ROLE_CLAIM is needed with Microsoft Entra, which doesn't verify addresses: use its app roles"]
    : [];
}
