import { RETENTION } from "#brand/legal.ts";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, UsageError, withMigratedDatabase } from "#cli/terminal/command.ts";
import { formatKeyValueList } from "#cli/terminal/table.ts";
import { readConfig } from "#core/config/config.ts";
import { type Purged, previewPurge, purge } from "#core/retention/purge.ts";
import { formatNumber } from "#core/text/format.ts";

/** Deleting a larger share of the list needs --yes, because a wrong date must not delete everyone overnight. */
const MAX_SHARE = 0.05;

export function addPurge(program: Command): void {
  program
    .subcommand("purge", "Delete data past its retention period")
    .option("--dry-run", "Show what would be deleted, without deleting it")
    .option("--yes", "Allow deleting more than 5% of the list")
    .notes(`
Deletes:
  - everyone who joined up to a year after LAUNCH_DATE, once that year is over
  - people who joined on or after PURGE_UNCONFIRMED_SINCE and haven't confirmed
    their address ${RETENTION.unconfirmed} days after our last email
  - people set aside, and quarantine entries, after ${RETENTION.quarantine} days
  - hashes of addresses that were erased more than BACKUP_DAYS days ago
  - in the team's console: ended sessions, refused sign-ins after 30 days, and
    operators' addresses a year after their last sign-in or action
  - webhook events older than ${RETENTION.webhooks} days
  - counts of page views older than ${RETENTION.views} days

If a setting is missing, its data is kept. Totals and company counts stay exact.
Run purge every night, and again after you restore a backup.`)
    .examples("--dry-run", "")
    .action(purgeList);
}

const purgeList = withMigratedDatabase(async (db, { dryRun, yes }: { dryRun?: boolean; yes?: boolean }) => {
  const rules = readConfig();
  const { people, asOf, ...found } = await previewPurge(db, rules);
  if (dryRun) return { text: `${formatPurged(found)}\n\nDry run: nothing was deleted.`, json: { wouldDelete: found } };

  const leaving = (found.signUps ?? 0) + (found.unconfirmed ?? 0);
  if (!yes && leaving > people * MAX_SHARE) {
    const share = `${formatNumber(leaving)} of ${formatNumber(people)} people`;
    throw new UsageError(
      `This would delete ${share}, more than 5% of the list. Check it with --dry-run, then add --yes. Nothing was deleted.`,
    );
  }
  const deleted = await purge(db, commandLineActor(), rules, asOf);
  return { text: `${formatPurged(deleted)}\n\nDeleted.`, json: { deleted } };
});

function formatPurged({ signUps, unconfirmed, setAside, quarantined, erasures }: Purged): string {
  const count = (found: number | null, setting: string) =>
    found === null ? `not purged: ${setting} isn't set` : formatNumber(found);
  return formatKeyValueList({
    "A year after launch": count(signUps, "LAUNCH_DATE"),
    Unconfirmed: count(unconfirmed, "PURGE_UNCONFIRMED_SINCE"),
    "Set aside": formatNumber(setAside),
    Quarantine: formatNumber(quarantined),
    "Hashes of erased addresses": count(erasures, "BACKUP_DAYS"),
  });
}
