import { execFileSync } from "node:child_process";
import { createSign, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "svix";

export const TOPIC = "arn:aws:sns:eu-west-1:123456789012:farwatch";
export const CERTIFICATE_URL = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0a1b.pem";
const PASSWORD = "a password of 20 characters";
const SECRET = `whsec_${Buffer.alloc(24, "farwatch").toString("base64")}`;
export const MAIL_EVENTS = { ses: TOPIC, postmark: PASSWORD, resend: SECRET, generic: SECRET };

export interface Signed {
  payload: string;
  headers: Record<string, string>;
}

/** A fake SNS with its own key and certificate. */
export function createSns() {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-sns-"));
  const files = ["key.pem", "certificate.pem"].map((name) => join(folder, name));
  const request = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=sns.amazonaws.com -keyout".split(" ");
  execFileSync("openssl", [...request, files[0] ?? "", "-out", files[1] ?? ""], { stdio: "ignore" });
  const [key = "", certificate = ""] = files.map((file) => readFileSync(file, "utf8"));
  rmSync(folder, { recursive: true });
  return {
    certificate,
    fetch: async () => new Response(certificate),
    /** `signed` changes the message before it is signed, `changed` afterward. */
    sign(content: object | string, { version = "2", signed = {}, changed = {} } = {}): Signed {
      const Message = typeof content === "string" ? content : JSON.stringify(content);
      const [MessageId, Timestamp] = [randomUUID(), new Date().toISOString()];
      const message = { Type: "Notification", MessageId, TopicArn: TOPIC, Message, Timestamp, ...signed };
      const text = Object.entries(message)
        .toSorted()
        .map(([name, value]) => `${name}\n${value}\n`);
      const signer = createSign(version === "1" ? "RSA-SHA1" : "RSA-SHA256").update(text.join(""));
      const proof = {
        SignatureVersion: version,
        Signature: signer.sign(key, "base64"),
        SigningCertURL: CERTIFICATE_URL,
      };
      return {
        payload: JSON.stringify({ ...message, ...proof, ...changed }),
        headers: { "content-type": "text/plain" },
      };
    },
  };
}

const now = () => new Date().toISOString();

export function sesBounce(emailAddress: string, status = "5.1.1", diagnosticCode?: string) {
  const bounceType = status.startsWith("5") ? "Permanent" : "Transient";
  return {
    notificationType: "Bounce",
    bounce: { bounceType, timestamp: now(), bouncedRecipients: [{ emailAddress, status, diagnosticCode }] },
  };
}
export const sesComplaint = (emailAddress: string, complaintFeedbackType?: string) => ({
  complaint: { timestamp: now(), complaintFeedbackType, complainedRecipients: [{ emailAddress }] },
});
export function postmarkBounce(Email: string, changes = {}) {
  const bounce = { RecordType: "Bounce", Type: "HardBounce", Details: "smtp;550 5.1.1 x", BouncedAt: now() };
  return { ...bounce, Email, ...changes };
}
export function resendEvent(type: string, to: string, bounce?: object) {
  return { type, created_at: now(), data: { to: [to], bounce } };
}
export function genericEvent(type: string, email: string, status?: string) {
  return { type, timestamp: now(), data: { email, status } };
}

export function signPostmark(body: object, password = PASSWORD): Signed {
  const authorization = `Basic ${Buffer.from(`farwatch:${password}`).toString("base64")}`;
  return { payload: JSON.stringify(body), headers: { "content-type": "application/json", authorization } };
}

/** Signs with Svix's own library. The headers are called `svix-…`, or `webhook-…` as in the standard. */
export function signWebhook(
  prefix: "svix" | "webhook",
  body: object,
  { at = new Date(), secret = SECRET } = {},
): Signed {
  const [payload, id] = [JSON.stringify(body), `msg_${randomUUID()}`];
  const fields = {
    id,
    timestamp: Math.floor(at.getTime() / 1000),
    signature: new Webhook(secret).sign(id, at, payload),
  };
  const headers = Object.entries(fields).map(([name, value]) => [`${prefix}-${name}`, String(value)]);
  return { payload, headers: Object.fromEntries(headers) };
}
