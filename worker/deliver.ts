import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "#core/database/connect.ts";
import { composeMail, type LinkOptions } from "#core/mail/compose.ts";
import {
  claim,
  type Delivery,
  recordExpired,
  recordFailed,
  recordRejected,
  recordSent,
  skip,
} from "#core/mail/deliveries.ts";
import { InvalidMessage } from "#core/mail/placeholders.ts";
import { isPersonal } from "#core/mail/recipients.ts";
import { takeSendSlot } from "#core/mail/send-rate.ts";
import type { Mail, Sender, SendOutcome } from "#core/mail/sender.ts";
import type { Stages } from "./pipeline.ts";

const PAUSE_MS = 500;
/** Longer than a failover, and shorter than a job may take. */
const MAX_RECORD_MS = 60_000;
/** Longer than recording the mail before takes, unless the database fails. */
const MAX_CLAIM_AGE_MS = 250;

export interface DeliverOptions {
  db: Database;
  sender: Sender;
  links: LinkOptions;
  perMinute: number;
  /** Runs the queue's sends one after another. */
  pipeline: <Sent, Result>(stages: Stages<Sent, Result>) => Promise<Result>;
  reportError: (reason: unknown) => void;
}

/**
 * Sends one mail. The outcome is recorded on the delivery before the job is settled: a job whose settling fails runs
 * again, and then finds that there is nothing left to send. Aborting the signal gives the mail back.
 */
export async function deliver(
  delivery: Delivery,
  signal: AbortSignal,
  { db, sender, links, perMinute, pipeline, reportError }: DeliverOptions,
): Promise<"settled" | "retry"> {
  try {
    while (!(await takeSendSlot(db, perMinute, isPersonal(delivery.messageId)))) {
      if (signal.aborted) return "retry";
      await pause(PAUSE_MS);
    }
    return await pipeline({ send: claimAndSend, record: recordOutcome });
  } catch (reason) {
    reportError(reason);
    const gaveUp = reason instanceof InvalidMessage ? giveUpOnInvalid() : recordExpired(db, delivery);
    return (await gaveUp.catch(() => false)) ? "settled" : "retry";
  }

  /** The mail before must be recorded first, because a kill sends again what isn't: one mail at most. */
  async function claimAndSend(previousRecorded: Promise<unknown>): Promise<SendOutcome | "skipped" | "retry"> {
    let [mail, composedAt]: [Mail | undefined, number] = [undefined, 0];
    do {
      const claimed = await claim(db, delivery);
      if (!claimed) return (await skip(db, delivery)) ? "skipped" : "retry";
      mail = await composeMail(claimed, links);
      composedAt = performance.now();
      await previousRecorded;
      // They may have left since.
    } while (performance.now() - composedAt > MAX_CLAIM_AGE_MS);
    // Presumed dead or out of time: another worker has the job by now.
    return signal.aborted ? "retry" : sender.send(mail);
  }

  async function recordOutcome(outcome: SendOutcome | "skipped" | "retry"): Promise<"settled" | "retry"> {
    if (outcome === "retry") return "retry";
    if (outcome !== "skipped") {
      await recordWithRetries(() => {
        if (outcome === "sent") return recordSent(db, delivery);
        return outcome === "rejected" ? recordRejected(db, delivery) : recordFailed(db, delivery, "refused");
      });
    }
    return "settled";
  }

  async function giveUpOnInvalid(): Promise<boolean> {
    await recordFailed(db, delivery, "invalid");
    return true;
  }

  /** Because a sent mail that isn't recorded is sent again. */
  async function recordWithRetries(record: () => Promise<void>): Promise<void> {
    const deadline = performance.now() + MAX_RECORD_MS;
    while (true) {
      try {
        return await record();
      } catch (reason) {
        if (performance.now() > deadline) throw reason;
        reportError(reason);
        await pause(PAUSE_MS);
      }
    }
  }
}
