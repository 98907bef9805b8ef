import { generateKeyPairSync } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { InvitationConfig } from "#core/config/config.ts";
import { createKeys } from "#core/config/keys.ts";
import { inviteUrl } from "#core/links/invitation-tokens.ts";
import type { Signed } from "./mail-providers.ts";
import { inDays, SECRET } from "./members.ts";

const PRODUCT = "https://app.farwatch.example";
const ISSUER = "https://list.farwatch.example";
const { privateKey } = generateKeyPairSync("ed25519");

export function invitationsBy(key = privateKey): InvitationConfig {
  const keys = createKeys(SECRET, { invitations: [key] });
  return { url: `${PRODUCT}/join`, issuer: ISSUER, lifetimeDays: 30, keys };
}

interface Invited {
  id: string;
  email_key: string;
  wave_id: string | null;
}

export async function tokenFor(person: Invited, invitations = invitationsBy(), issuedAt = new Date()): Promise<string> {
  const url = await inviteUrl(invitations, person, person.wave_id ?? "", issuedAt);
  return new URL(url).searchParams.get("invitation") ?? "";
}

export const acceptance = (token: unknown, at: unknown = new Date().toISOString()) =>
  JSON.stringify({ type: "invitation.accepted", timestamp: at, data: { token } });

/** Signs like the product, with the Standard Webhooks library. */
export function sign(payload: string, secret: string, at = new Date()): Signed {
  const id = "msg_1";
  const signature = new Webhook(secret).sign(id, at, payload);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return {
    payload,
    headers: { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature },
  };
}

export const daysAgo = (days: number) => inDays(-days);
