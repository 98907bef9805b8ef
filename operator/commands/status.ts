import type { Command } from "commander";
import { sql } from "kysely";
import { type Answer, onList } from "#operator/command.ts";
import { facts, table } from "#operator/terminal/table.ts";
import { count, many, share } from "#operator/terminal/words.ts";
import type { Database } from "#server/database/connect.ts";
import { readTotals } from "#server/waitlist/totals.ts";

const LAST_WAVES = 5;

export function addStatus(program: Command): void {
  program.command("status").description("how the list is doing").action(onList(status));
}

async function status(db: Database): Promise<Answer> {
  const totals = await readTotals(db);
  const { rows } = await sql<Record<Count, number>>`
    select
      count(*) filter (where newsletter)::integer as newsletter,
      count(*) filter (where confirmed_at is not null)::integer as confirmed,
      count(*) filter (where invited_at is not null)::integer as invited,
      count(rejected_at)::integer as rejected,
      (
        select count(distinct sign_up_id)::integer from consents join sign_ups on id = sign_up_id where not newsletter
      ) as unsubscribed,
      count(*) filter (where joined_at > now() - interval '1 day')::integer as "lastDay",
      count(*) filter (where joined_at > now() - interval '7 days')::integer as "lastWeek",
      (select count(*)::integer from quarantine) as quarantine,
      (select count(*)::integer from erasures) as erased
    from sign_ups`.execute(db);
  const counts = rows[0] as Record<Count, number>;
  const waves = await sql<{ invitedAt: Date; people: number }>`
    select invited_at as "invitedAt", count(*)::integer as people from sign_ups
    where invited_at is not null group by 1 order by 1 desc limit ${LAST_WAVES}`.execute(db);

  const of = (part: number) => `${count(part)}, ${share(part, totals.totalUsers)}`;
  const text = facts({
    "on the list": `${many(totals.totalUsers, "person", "people")} of ${many(totals.companiesInterested, "company", "companies")}`,
    "last 24 hours": count(counts.lastDay),
    "last 7 days": count(counts.lastWeek),
    "want news": of(counts.newsletter),
    confirmed: of(counts.confirmed),
    invited: of(counts.invited),
    rejected: count(counts.rejected),
    unsubscribed: count(counts.unsubscribed),
    "in quarantine": count(counts.quarantine),
    erased: count(counts.erased),
  });
  const lastWaves = waves.rows.map(({ invitedAt, people }) => ({
    wave: invitedAt.toISOString(),
    people: count(people),
  }));
  return {
    text: lastWaves.length ? `${text}\n\n${table(lastWaves)}` : text,
    json: { ...totals, ...counts, waves: waves.rows },
  };
}

type Count =
  | "rejected"
  | "unsubscribed"
  | "newsletter"
  | "confirmed"
  | "invited"
  | "lastDay"
  | "lastWeek"
  | "quarantine"
  | "erased";
