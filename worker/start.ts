import { setTimeout as pause } from "node:timers/promises";
import type { MailConfig } from "#core/config/config.ts";
import type { Database } from "#core/database/connect.ts";
import { createMailQueue } from "#core/mail/queue/choose-mails.ts";
import { composeMail } from "#core/mail/queue/compose.ts";
import { type ClaimedDelivery, LEASE_MS, type Outcome, recordOutcome } from "#core/mail/queue/deliveries.ts";
import { MAX_SEND_MS, MailServerFailure, openSender } from "#core/mail/sender.ts";
import { countFriendsDaily } from "./friends.ts";
import { sendWebhooks } from "./webhooks.ts";

/** If the worker is killed, at most this many emails are sent twice, but never a reminder. */
export const MAX_IN_FLIGHT = 5;
const POLL_MS = 500;
const RECORD_RETRY_MS = 500;

/** Long enough for statements to wait for locks, short enough that recording a result doesn't delay a stop much. */
export const MAIL_TIMEOUT_MS = 10_000;
/** Longer than a failover. Claiming, sending and recording, including the last attempt, end within the email's lease. */
const MAX_RECORD_MS = LEASE_MS - MAX_SEND_MS - 2 * MAIL_TIMEOUT_MS;

/** A worker without a claim for this long is stuck or has lost its database. Longer than sending an email can take. */
const MAX_IDLE_MS = 60_000;
/** Longer than claiming, sending and recording can take. A worker that takes longer hangs and needs a restart. */
const MAX_TURN_MS = 5 * 60_000;

/** Sends due mail until stopped, then finishes the emails in progress. Any number of workers may run. */
export function startMailWorker(
  mail: MailConfig,
  db: Database,
  /** Called for errors other than an outage of the database. */
  onError: (reason: unknown) => void,
) {
  const claimMails = createMailQueue(db, mail.perMinute);
  const inFlight = new Set<Promise<void>>();
  const stopping = new AbortController();
  const reportError = (reason: unknown) => {
    if (!db.breaker.report(reason)) onError(reason);
  };
  /** What failed since the mail server last accepted an email: an outage is one line, not one for each email. */
  const reported = new Set<string>();
  const reportOnce = (reason: Error) => {
    if (!reported.has(reason.message)) reportError(reason);
    reported.add(reason.message);
  };
  const sender = openSender(mail, reportOnce);

  let [claimedAt, turnedAt] = [performance.now(), performance.now()];
  async function sendUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      turnedAt = performance.now();
      const claimed = await claimMails(MAX_IN_FLIGHT - inFlight.size).catch(reportError);
      if (claimed) claimedAt = performance.now();
      for (const delivery of claimed?.mails ?? []) {
        const delivered = deliver(delivery).finally(() => inFlight.delete(delivered));
        inFlight.add(delivered);
      }
      if (claimed?.isIdle ?? true) await pause(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {});
      // A claim takes several statements, so each one claims a few emails.
      while (inFlight.size > MAX_IN_FLIGHT / 2) await Promise.race(inFlight);
    }
    await Promise.all(inFlight);
  }

  /** Never throws. If an outcome can't be recorded, the email is due again when its lease ends, except a reminder. */
  async function deliver(claimed: ClaimedDelivery): Promise<void> {
    let failure: MailServerFailure | undefined;
    const outcome = await composeMail(claimed, mail)
      .then((composed) => {
        if (!("refused" in composed)) return sender.send(composed);
        reportError(new Error(composed.detail));
        return "invalid";
      })
      .catch((reason): Outcome => {
        reportOnce(reason);
        if (reason instanceof MailServerFailure) failure = reason;
        return failure?.isUnknown ? "unknown" : "delayed";
      });
    if (outcome === "sent") reported.clear();
    const deadline = performance.now() + MAX_RECORD_MS;
    const isRecorded = () => recordOutcome(db, claimed, outcome, failure?.codes).then(() => true, reportError);
    while (!(await isRecorded()) && performance.now() < deadline) await pause(RECORD_RETRY_MS);
  }

  const stopped = sendUntilStopped();
  const webhooksStopped = mail.webhookHosts.length > 0 && sendWebhooks(db, mail, stopping.signal, reportError);
  const countingStopped = countFriendsDaily(db, stopping.signal, reportError);
  return {
    reportError,
    isLive: () => performance.now() - turnedAt < MAX_TURN_MS,
    isReady: () => !stopping.signal.aborted && performance.now() - claimedAt < MAX_IDLE_MS,
    async stop() {
      stopping.abort();
      await Promise.all([stopped, webhooksStopped, countingStopped]);
      sender.close();
    },
  };
}
