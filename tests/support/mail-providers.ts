import { execFileSync } from "node:child_process";
import { createSign, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "svix";

export const TOPIC = "arn:aws:sns:eu-west-1:123456789012:farwatch";
export const CERTIFICATE_URL = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0a1b.pem";
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24, "farwatch").toString("base64")}`;
export const MAIL_EVENTS = {
  ses: TOPIC,
  postmark: "a password of 20 characters",
  resend: WEBHOOK_SECRET,
  generic: WEBHOOK_SECRET,
};

export interface Signed {
  payload: string;
  headers: Record<string, string>;
}
type Fields = Record<string, string>;

/** An SNS that signs with its own key and certificate. */
export function createSns() {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-sns-"));
  const [keyFile, certificateFile] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=sns.amazonaws.com"];
  execFileSync("openssl", [...request, "-keyout", keyFile, "-out", certificateFile], { stdio: "ignore" });
  const [key, certificate] = [readFileSync(keyFile), readFileSync(certificateFile, "utf8")];
  rmSync(folder, { recursive: true });
  return {
    certificate,
    fetch: async () => new Response(certificate),
    /** `signed` changes the message before it is signed, `changed` afterward. */
    sign(message: object | string, { version = "2", signed = {} as Fields, changed = {} as Fields } = {}): Signed {
      const fields: Fields = {
        Type: "Notification",
        MessageId: randomUUID(),
        TopicArn: TOPIC,
        Message: typeof message === "string" ? message : JSON.stringify(message),
        Timestamp: new Date().toISOString(),
        ...signed,
      };
      const text = Object.keys(fields)
        .toSorted()
        .map((name) => `${name}\n${fields[name]}\n`);
      const signer = createSign(version === "1" ? "RSA-SHA1" : "RSA-SHA256").update(text.join(""));
      const proof = {
        SignatureVersion: version,
        Signature: signer.sign(key, "base64"),
        SigningCertURL: CERTIFICATE_URL,
      };
      const headers = { "content-type": "text/plain; charset=UTF-8" };
      return { payload: JSON.stringify({ ...fields, ...proof, ...changed }), headers };
    },
  };
}

export function sesBounce(emailAddress: string, status = "5.1.1", timestamp = new Date().toISOString()) {
  const bounceType = status.startsWith("5") ? "Permanent" : "Transient";
  return {
    notificationType: "Bounce",
    bounce: { bounceType, timestamp, bouncedRecipients: [{ emailAddress, status }] },
  };
}

export function sesComplaint(emailAddress: string) {
  const timestamp = new Date().toISOString();
  return { eventType: "Complaint", complaint: { timestamp, complainedRecipients: [{ emailAddress }] } };
}

export function signPostmark(body: object, password = MAIL_EVENTS.postmark): Signed {
  const authorization = `Basic ${Buffer.from(`farwatch:${password}`).toString("base64")}`;
  return { payload: JSON.stringify(body), headers: { "content-type": "application/json", authorization } };
}

export function signWebhook(
  prefix: "svix" | "webhook",
  body: object,
  { at = new Date(), secret = WEBHOOK_SECRET } = {},
): Signed {
  const [payload, id] = [JSON.stringify(body), `msg_${randomUUID()}`];
  const signature = new Webhook(secret).sign(id, at, payload);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const headers = { [`${prefix}-id`]: id, [`${prefix}-timestamp`]: timestamp, [`${prefix}-signature`]: signature };
  return { payload, headers: { "content-type": "application/json", ...headers } };
}

export const resendEvent = (type: string, to: string, bounce?: object) => ({
  type,
  created_at: new Date().toISOString(),
  data: { to: [to], ...(bounce && { bounce }) },
});
export const genericEvent = (type: string, email: string, status?: string) => ({
  type,
  timestamp: new Date().toISOString(),
  data: { email, ...(status && { status }) },
});
