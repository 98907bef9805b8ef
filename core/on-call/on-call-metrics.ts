import type { Database } from "#core/database/connect.ts";
import { onlyRow } from "#core/database/only-row.ts";
import { readMailStatus } from "#core/mail/queue/status.ts";
import { cached } from "#core/service/cached.ts";
import { readLastSuccesses, TASKS } from "#core/service/maintenance.ts";
import type { Metrics } from "#core/service/metrics.ts";

/** Shorter than a usual scrape interval; all gauges of one scrape share one read. */
const TTL_MS = 10_000;

/**
 * Gauges for the mail queue and the nightly tasks. During a database outage they keep their last values without
 * waiting. Before the first value they are NaN, which triggers no alert.
 */
export function watchOnCall(metrics: Metrics, db: Database): void {
  const read = cached(async () => {
    if (!(await db.isUp())) throw new Error("The database is down");
    // Bypasses the circuit breaker, because a slow count here is no reason to refuse sign-ups.
    const { rows } = await db.pool.query<Record<"erased" | "webhooks" | "unarchived", number>>(`
      select (select coalesce(sum(times), 0) from erasures where erased_at > now() - interval '1 hour')::integer as erased,
        (select count(*) from webhook_endpoints
          where state = 'disabled' or (state = 'active' and failing_since < now() - interval '1 hour'))::integer as webhooks,
        (select count(*) from pg_stat_archiver
          where last_failed_time > coalesce(last_archived_time, '-infinity'))::integer as unarchived`);
    return { mail: await readMailStatus(db), lastSuccesses: await readLastSuccesses(db.pool), ...onlyRow({ rows }) };
  }, TTL_MS);
  type Reading = Awaited<ReturnType<typeof read>>;
  const watch = (name: string, help: string, value: (reading: Reading) => number) =>
    metrics.watch(name, help, () => read().then(value, () => Number.NaN));
  const seconds = (time: Date | null | undefined) => (time?.getTime() ?? 0) / 1000;

  watch("farwatch_mail_waiting", "Emails that are due and not sent", ({ mail }) => mail.waiting);
  watch("farwatch_mail_oldest_seconds", "Age of the oldest email that is due and not sent", ({ mail }) =>
    mail.waitingSince ? Math.max(0, Date.now() / 1000 - seconds(mail.waitingSince)) : 0,
  );
  watch("farwatch_mail_stalled", "Whether no worker sends due mail", ({ mail }) => Number(mail.isStalled));
  watch("farwatch_mail_failing_seconds", "How long every email has failed", ({ mail }) => mail.failingSeconds);
  watch("farwatch_mail_reached", "People whose confirmation was sent, in total", ({ mail }) => mail.mailed);
  watch("farwatch_mail_dead", "Emails given up (dead letters)", ({ mail }) => mail.dead);
  for (const name of ["bounces", "complaints"] as const) {
    watch(`farwatch_mail_${name}_ratio`, `Share of ${name} in 30 days`, ({ mail }) => mail.rates[name]);
  }
  watch("farwatch_mail_paused", "Messages that paused themselves", ({ mail }) => mail.selfPaused);
  watch("farwatch_mail_events_stopped", "Stopped mail providers", ({ mail }) => mail.stoppedSources.length);
  watch("farwatch_erased_people", "People erased individually within an hour", ({ erased }) => erased);
  watch("farwatch_webhooks_failing", "Webhooks that fail for an hour, or are disabled", ({ webhooks }) => webhooks);
  watch("farwatch_archive_failing", "Whether PostgreSQL can't archive its WAL", ({ unarchived }) => unarchived);
  for (const task of TASKS) {
    const help = `Time of the last recorded ${task}, 0 if never`;
    watch(`farwatch_last_${task}_timestamp_seconds`, help, ({ lastSuccesses }) => seconds(lastSuccesses[task]));
  }
}
