import type { Command } from "commander";
import { sql } from "kysely";
import { type Answer, onList } from "#cli/command.ts";
import { facts } from "#cli/terminal/table.ts";
import type { Database } from "#core/database/connect.ts";
import { formatDateTime, formatNumber, pluralize } from "#core/format.ts";
import { readQueue, retryDead } from "#core/mail/queue.ts";

const MOST_WAIT_MS = 10 * 60_000;

export function addMail(program: Command): void {
  const mail = program.command("mail").description("the mails that ask people to confirm their address");
  mail.command("status").description("how many wait, were refused, or were given up").action(onList(status));
  mail.command("retry").description("try those once more that were given up after two days").action(onList(retry));
}

async function status(db: Database): Promise<Answer> {
  const { rows } = await sql<{
    marked: number;
    mailed: number;
    confirmed: number;
    rejected: number;
    last: Date | null;
    waitingSince: Date | null;
  }>`
    select
      count(*) filter (where mail_due)::integer as marked,
      count(*) filter (where mails > 0)::integer as mailed,
      count(*) filter (where mails > 0 and confirmed_at is not null)::integer as confirmed,
      count(rejected_at)::integer as rejected,
      max(last_mail_at) as last,
      min(joined_at) filter (where mail_due and mails = 0) as "waitingSince"
    from sign_ups`.execute(db);
  const [people] = rows;
  if (!people) throw new Error("The count answered nothing");
  const queue = await readQueue(db);
  const text = facts({
    "to be queued": formatNumber(people.marked),
    "to be sent": formatNumber(queue.waiting),
    "given up": `${formatNumber(queue.dead)}${queue.dead ? " (npx waitlist mail retry)" : ""}`,
    "people written to": formatNumber(people.mailed),
    "of them confirmed": formatNumber(people.confirmed),
    "refused by their server": formatNumber(people.rejected),
    last: formatDateTime(people.last),
  });
  // Marks are taken within a second, unless there is nobody to take them.
  const isAtWork = !people.waitingSince || Date.now() - people.waitingSince.getTime() < MOST_WAIT_MS;
  return {
    text: isAtWork ? text : `${text}\n\nNo mail worker is at work.`,
    json: { ...people, ...queue },
    isGood: queue.dead === 0 && isAtWork,
  };
}

async function retry(db: Database): Promise<Answer> {
  const retried = await retryDead(db);
  return { text: `${pluralize(retried, "mail")} will be tried again.`, json: { retried } };
}
