import { setTimeout as pause } from "node:timers/promises";
import type { MailConfig } from "#core/config/config.ts";
import type { Database } from "#core/database/connect.ts";
import { webhookHeaders } from "#core/http/signature.ts";
import { recordAttempt } from "#core/webhooks/attempts.ts";
import { makeDigest } from "#core/webhooks/digest.ts";
import { type ClaimedEvent, claimEvents, eventBody } from "#core/webhooks/events.ts";
import { post } from "#core/webhooks/post.ts";

const POLL_MS = 500;
/** For a second after the last event, polls at an endpoint's pace, so each claim finds the endpoint due. */
const BUSY_POLL_MS = 50;
const MAX_BUSY_POLLS = 20;

/** Sends webhooks until stopped, one at a time to each endpoint. Any number of workers may do so. */
export async function sendWebhooks(
  db: Database,
  { webhookHosts, keys }: Pick<MailConfig, "webhookHosts" | "keys">,
  stopping: AbortSignal,
  onError: (reason: unknown) => void,
): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  for (let idlePolls = 0; !stopping.aborted; idlePolls += 1) {
    for (const event of (await claimEvents(db).catch(onError)) ?? []) {
      idlePolls = 0;
      const sent = send(event)
        .catch(onError)
        .finally(() => inFlight.delete(sent));
      inFlight.add(sent);
    }
    const delay = idlePolls < MAX_BUSY_POLLS ? BUSY_POLL_MS : POLL_MS;
    await pause(delay, undefined, { signal: stopping }).catch(() => {});
  }
  await Promise.all(inFlight);

  /** If the attempt can't be recorded, the event is sent again when its lease ends, with the same id. */
  async function send(event: ClaimedEvent): Promise<void> {
    if (event.sends === "digest") return sendDigest(event);
    const body = eventBody(keys, event);
    const headers = webhookHeaders(event.secrets, event.webhookId, body);
    await recordAttempt(db, event, await post(webhookHosts, event.url, body, headers));
  }

  async function sendDigest(claimed: ClaimedEvent): Promise<void> {
    const digest = await makeDigest(db, claimed);
    if (!digest) return;
    const { event, body, pace } = digest;
    await recordAttempt(db, event, await post(webhookHosts, event.url, body, {}), pace);
  }
}
