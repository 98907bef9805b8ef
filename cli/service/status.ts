import { type Command, withMigratedDatabase } from "#cli/terminal/command.ts";
import { formatKeyValueList, formatTable } from "#cli/terminal/table.ts";
import { readWaveResults } from "#core/invitations/wave-results.ts";
import { readCounts } from "#core/overview/count.ts";
import { countFunnel, describeFunnel } from "#core/overview/funnel.ts";
import { readTotals } from "#core/people/totals.ts";
import { formatQuarantined } from "#core/sign-ups/quarantine-size.ts";
import { formatDateTime, formatNumber, formatRoundedPercent, pluralize } from "#core/text/format.ts";

const MAX_WAVES = 5;

export function addStatus(program: Command): void {
  program.subcommand("status", "Show totals and the latest waves").examples("", "--json").action(status);
}

const status = withMigratedDatabase(async (db) => {
  const totals = await readTotals(db.pool);
  const counts = await readCounts(db);
  const lastWeekFunnel = await countFunnel(db, "7d");
  const results = await readWaveResults(db, MAX_WAVES);
  const waves = results.map(({ id, invitedAt, invited }) => ({ id, invitedAt, people: invited }));

  const withShare = (count: number) => `${formatNumber(count)} (${formatRoundedPercent(count, totals.totalUsers)})`;
  const text = formatKeyValueList({
    People: `${formatNumber(totals.totalUsers)} from ${pluralize(totals.companiesInterested, "company", "companies")}`,
    "Last 24 hours": formatNumber(counts.lastDay),
    "Last 7 days": describeFunnel(lastWeekFunnel),
    Newsletter: withShare(counts.newsletter),
    Confirmed: withShare(counts.confirmed),
    Invited: withShare(counts.invited),
    Suppressed: formatNumber(counts.suppressed),
    Unsubscribed: formatNumber(counts.unsubscribed),
    "In quarantine": formatQuarantined(counts.quarantined),
    Erased: formatNumber(counts.erased),
  });
  const latestWaves = waves.map(({ id, invitedAt, people }) => ({
    Wave: id,
    "Invited at": formatDateTime(invitedAt),
    People: formatNumber(people),
  }));
  return {
    text: latestWaves.length ? `${text}\n\n${formatTable(latestWaves)}` : text,
    json: { ...totals, ...counts, lastWeek: lastWeekFunnel.joined, lastWeekFunnel, waves },
  };
});
