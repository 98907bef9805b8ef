import { createHmac, randomBytes } from "node:crypto";

export function createSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** The headers of Standard Webhooks 1.0.0: one signature per secret, so that a receiver can change secrets in between. */
export function webhookHeaders(secrets: string[], webhookId: string, body: string) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const sign = (secret: string) =>
    createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64"))
      .update(`${webhookId}.${timestamp}.${body}`)
      .digest("base64");
  return {
    "webhook-id": webhookId,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => `v1,${sign(secret)}`).join(" "),
  };
}
