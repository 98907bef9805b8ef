import type { Command } from "commander";
import { type CommandResult, withList } from "#cli/command.ts";
import { keyValueList, table } from "#cli/terminal/table.ts";
import type { Database } from "#core/database/connect.ts";
import { formatNumber, formatRoundedPercent, pluralize } from "#core/format.ts";
import { readCounts } from "#core/waitlist/counts.ts";
import { readTotals } from "#core/waitlist/totals.ts";
import { listWaves } from "#core/waitlist/waves.ts";

const LAST_WAVES = 5;

export function addStatus(program: Command): void {
  program.command("status").description("how the list is doing").action(withList(status));
}

async function status(db: Database): Promise<CommandResult> {
  const totals = await readTotals(db.pool);
  const counts = await readCounts(db);
  const waves = await listWaves(db, LAST_WAVES);

  const of = (part: number) => `${formatNumber(part)}, ${formatRoundedPercent(part, totals.totalUsers)}`;
  const text = keyValueList({
    "on the list": `${pluralize(totals.totalUsers, "person", "people")} of ${pluralize(totals.companiesInterested, "company", "companies")}`,
    "last 24 hours": formatNumber(counts.lastDay),
    "last 7 days": formatNumber(counts.lastWeek),
    "want news": of(counts.newsletter),
    confirmed: of(counts.confirmed),
    invited: of(counts.invited),
    rejected: formatNumber(counts.rejected),
    unsubscribed: formatNumber(counts.unsubscribed),
    "in quarantine": formatNumber(counts.quarantined),
    erased: formatNumber(counts.erased),
  });
  const lastWaves = waves.map(({ id, invitedAt, people }) => ({
    wave: id ?? "–",
    invited: invitedAt.toISOString(),
    people: formatNumber(people),
  }));
  return {
    text: lastWaves.length ? `${text}\n\n${table(lastWaves)}` : text,
    json: { ...totals, ...counts, waves },
  };
}
