import { verify, X509Certificate } from "node:crypto";
import * as z from "zod/mini";
import { isCertificateUrl, isSnsUrl, readCertificate } from "./certificates.ts";
import { bounceKind, email, parseAs, type Reading, type Received, text, time } from "./event.ts";

/** SNS retries for an hour. */
const MAX_AGE_MS = 3_600_000;
const ALGORITHMS = { 1: "sha1", 2: "sha256" };
const SIGNED = ["Message", "MessageId", "Subject", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"] as const;

// The signed text joins the fields with newlines, so a field with a newline could pass for several fields.
const line = text.check(z.regex(/^.*$/));
const type = z.enum(["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"]);
const required = { Message: text, MessageId: line, Timestamp: line, TopicArn: line, Type: type };
const optional = { Subject: z.nullish(line), SubscribeURL: z.nullish(line), Token: z.nullish(line) };
const proof = { Signature: text, SigningCertURL: text, SignatureVersion: z.enum(["1", "2"]) };
const envelope = z.object({ ...required, ...optional, ...proof });

/** SES reports through SNS. The topic must be ours, because SNS signs what anyone with an AWS account publishes. */
export async function readSes({ body, secret: topic, db, onSubscription }: Received): Promise<Reading> {
  const message = parseAs(envelope, body);
  if (!message) return "malformed";
  const isRecent = Math.abs(Date.now() - Date.parse(message.Timestamp)) < MAX_AGE_MS;
  // Rejects other regions' certificates, so that nobody exhausts MAX_CERTIFICATES with them.
  const isOurs = message.SigningCertURL.startsWith(`https://sns.${topic.split(":")[3]}.`);
  if (message.TopicArn !== topic || !isRecent || !isOurs || !isCertificateUrl(message.SigningCertURL))
    return "unverified";
  const pem = await readCertificate(db, message.SigningCertURL);
  if (!pem) return "later";
  const { publicKey, validToDate } = new X509Certificate(pem);
  const signed = SIGNED.map((name) => (message[name] == null ? "" : `${name}\n${message[name]}\n`)).join("");
  const signature = Buffer.from(message.Signature, "base64");
  const isSigned = verify(ALGORITHMS[message.SignatureVersion], Buffer.from(signed), publicKey, signature);
  if (!isSigned || validToDate < new Date()) return "unverified";
  if (message.Type === "Notification") return readEvents(message.Message);
  if (!isSnsUrl(message.SubscribeURL ?? "")) return "unverified";
  // We never open the URL ourselves, because a stranger could subscribe us.
  onSubscription(message.SubscribeURL ?? "");
  return [];
}

const recipient = z.object({ emailAddress: email, status: z.optional(text), diagnosticCode: z.optional(text) });
const bounce = z.object({ bounceType: text, timestamp: time, bouncedRecipients: z.array(recipient) });
const spam = { complaintFeedbackType: z.nullish(text), timestamp: time, complainedRecipients: z.array(recipient) };
const notification = z.object({ bounce: z.optional(bounce), complaint: z.optional(z.object(spam)) });

/** Other notifications, such as deliveries, have no events for us. */
function readEvents(json: string): Reading {
  const { bounce, complaint } = parseAs(notification, json) ?? {};
  const bounced = bounce?.bouncedRecipients.map(({ emailAddress, status, diagnosticCode }) => {
    const kind = bounceKind(bounce.bounceType === "Permanent", status, diagnosticCode);
    return { email: emailAddress, kind, at: bounce.timestamp };
  });
  if (bounced || !complaint || complaint.complaintFeedbackType === "not-spam") return bounced ?? [];
  const at = complaint.timestamp;
  return complaint.complainedRecipients.map(({ emailAddress }) => ({ email: emailAddress, kind: "complaint", at }));
}
