import type { Command } from "commander";
import { type CommandResult, UsageError, withMigratedDatabase } from "#cli/command.ts";
import { addFilters, parseCount } from "#cli/options.ts";
import { confirm } from "#cli/terminal/confirm.ts";
import { showProgress } from "#cli/terminal/progress.ts";
import { formatTable } from "#cli/terminal/table.ts";
import type { Database } from "#core/database/connect.ts";
import { formatDate, formatNumber, pluralize } from "#core/format.ts";
import type { Filter } from "#core/waitlist/filter.ts";
import { inviteNext, previewWave } from "#core/waitlist/waves.ts";

interface InviteOptions extends Filter {
  next?: number;
  all?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

const PREVIEW_LENGTH = 5;

export function addInvite(program: Command): void {
  addFilters(program.command("invite").description("Mark the next wave of people as invited"))
    .option("--next <count>", "Invite this many people, in the order they joined", parseCount)
    .option("--all", "Invite everyone who matches the filters")
    .option("--dry-run", "Show who would be invited, without inviting them")
    .option("--yes", "Skip the confirmation prompt")
    .addHelpText(
      "after",
      `
This records who is invited and when; it doesn't send email. Nobody is invited
twice, even if two waves run at the same time.

Examples:
  npx waitlist invite --next 500 --dry-run
  npx waitlist invite --next 500 --newsletter
  npx waitlist invite --company "Acme, Inc." --all

Then, to get the addresses of wave 12:
  npx waitlist export --wave 12 --out wave-12.csv`,
    )
    .action(withMigratedDatabase(invite));
}

async function invite(db: Database, { next, all, dryRun, yes, ...filter }: InviteOptions): Promise<CommandResult> {
  if ((next === undefined) === !all) {
    throw new UsageError("Choose --next 500 or --all (everyone matching the filters), not both.");
  }
  const limit = next ?? Number.MAX_SAFE_INTEGER;
  const { total, people } = await previewWave(db, filter, limit, PREVIEW_LENGTH);
  if (total === 0) return { text: "No matching people left to invite.", json: { invited: 0 }, isOk: false };

  const firstPeople = formatTable(
    people.map(({ email, company, joinedAt }) => ({
      Joined: formatDate(joinedAt),
      Email: email,
      Company: company ?? "",
    })),
  );
  const preview =
    total > people.length ? `${firstPeople}\n… and ${formatNumber(total - people.length)} more` : firstPeople;
  const count = pluralize(total, "person", "people");
  if (dryRun) return { text: `${preview}\n\nDry run: ${count} would be invited.`, json: { wouldInvite: total } };

  if (!yes) process.stderr.write(`${preview}\n\n`);
  if (!(await confirm(`Invite ${count}?`, yes))) {
    return { text: "Canceled. Nobody was invited.", json: { invited: 0 }, isOk: false };
  }
  const progress = showProgress(total);
  const wave = await inviteNext(db, filter, limit, progress.advance).finally(progress.end);
  const text = `Invited ${pluralize(wave.invited, "person", "people")} in wave ${wave.id}. To get their addresses:
  npx waitlist export --wave ${wave.id} --out wave-${wave.id}.csv`;
  return { text, json: wave };
}
