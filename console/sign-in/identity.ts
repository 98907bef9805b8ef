import type { IDToken } from "openid-client";
import { isEntra } from "#core/config/setting-rules.ts";
import { parseWho, TEAM_ROLES, type TeamRole } from "#core/operators/team-roles.ts";

/**
 * The canonical address, only if the provider vouches for it. Google does so for the domains that it hosts. Entra never
 * does; there, the tenant's admins choose user names, and roles come from a claim.
 */
export function verifiedAddress(claims: IDToken, issuer: string): string | undefined {
  const { preferred_username, email, email_verified, hd } = claims;
  if (!isEntra(issuer) && email_verified !== true) return undefined;
  const address = parseWho(String(isEntra(issuer) ? preferred_username : email));
  if (!address || address.startsWith("@")) return undefined;
  const isGoogle = new URL(issuer).hostname === "accounts.google.com";
  return isGoogle && !address.endsWith(`@${hd}`) ? undefined : address;
}

/** The highest role in a claim with one value or several. */
export function roleIn(claim: unknown): TeamRole | null {
  return TEAM_ROLES.findLast((role) => [claim].flat().includes(role)) ?? null;
}
