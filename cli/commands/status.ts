import type { Command } from "commander";
import { sql } from "kysely";
import { type Answer, onList } from "#cli/command.ts";
import { facts, table } from "#cli/terminal/table.ts";
import { count, many, share } from "#cli/terminal/words.ts";
import type { Database } from "#core/database/connect.ts";
import { readCounts } from "#core/waitlist/counts.ts";
import { readTotals } from "#core/waitlist/totals.ts";

const LAST_WAVES = 5;

export function addStatus(program: Command): void {
  program.command("status").description("how the list is doing").action(onList(status));
}

async function status(db: Database): Promise<Answer> {
  const totals = await readTotals(db.pool);
  const counts = await readCounts(db);
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
    "in quarantine": count(counts.quarantined),
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
