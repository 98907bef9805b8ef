/** Verifies a webhook like a receiver, in a separate process: `node verify-webhook.ts <secret> <headers> <body>`. */
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";

const [secret = "", headers = "", body = ""] = process.argv.slice(2);
for (const Webhook of [StandardWebhook, SvixWebhook]) new Webhook(secret).verify(body, JSON.parse(headers));
