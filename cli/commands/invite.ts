import type { Command } from "commander";
import { type CommandResult, UsageError, withList } from "#cli/command.ts";
import { addFilters, parseCount } from "#cli/options.ts";
import { confirm } from "#cli/terminal/confirm.ts";
import { showProgress } from "#cli/terminal/progress.ts";
import { table } from "#cli/terminal/table.ts";
import type { Database } from "#core/database/connect.ts";
import { formatDate, pluralize } from "#core/format.ts";
import type { Filter } from "#core/waitlist/filter.ts";
import { inviteNext, previewWave } from "#core/waitlist/waves.ts";

interface InviteOptions extends Filter {
  next?: number;
  all?: boolean;
  dryRun?: boolean;
  yes?: boolean;
}

const SHOWN = 5;

export function addInvite(program: Command): void {
  addFilters(program.command("invite").description("mark the next wave of people as invited, each person once"))
    .option("--next <count>", "that many, by the order in which they joined", parseCount)
    .option("--all", "everyone the filters leave")
    .option("--dry-run", "only say who it would be")
    .option("--yes", "don't ask")
    .addHelpText(
      "after",
      `
Marks people and notes when; it sends nothing. Two waves made at the same time
never share a person.

Examples:
  npx waitlist invite --next 500 --dry-run
  npx waitlist invite --next 500 --newsletter
  npx waitlist invite --company "Acme, Inc." --all

Then, to know whom to write to:
  npx waitlist export --wave 12 --out wave.csv`,
    )
    .action(withList(invite));
}

async function invite(db: Database, { next, all, dryRun, yes, ...filter }: InviteOptions): Promise<CommandResult> {
  if ((next === undefined) === !all) throw new UsageError("Say how many: --next 500, or --all that the filters leave");
  const limit = next ?? Number.MAX_SAFE_INTEGER;
  const { total, people } = await previewWave(db, filter, limit, SHOWN);
  if (total === 0) return { text: "Nobody is left to invite.", json: { invited: 0 }, isOk: false };

  const preview = table(
    people.map(({ email, company, joinedAt }) => ({ joined: formatDate(joinedAt), email, company: company ?? "" })),
  );
  const whom = pluralize(total, "person", "people");
  const summary = `${preview}${total > people.length ? `\n… ${whom} in all` : ""}`;
  if (dryRun) return { text: `${summary}\nNobody was invited: this was a dry run.`, json: { wouldInvite: total } };

  if (!yes) process.stderr.write(`${summary}\n`);
  if (!(await confirm(`Invite ${whom}?`, yes)))
    return { text: "Nobody was invited.", json: { invited: 0 }, isOk: false };
  const progress = showProgress(total);
  const wave = await inviteNext(db, filter, limit, progress.advance).finally(progress.end);
  const text = `Invited ${pluralize(wave.invited, "person", "people")}. Whom to write to:\n  npx waitlist export --wave ${wave.id} --out wave.csv`;
  return { text, json: wave };
}
