import { addPace } from "#cli/messages/message-options.ts";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, type CommandResult, negative, UsageError, withMigratedDatabase } from "#cli/terminal/command.ts";
import { confirm } from "#cli/terminal/confirm.ts";
import { addFilters, parseCount, parseMailbox, readFilter } from "#cli/terminal/options.ts";
import { formatTable } from "#cli/terminal/table.ts";
import type { Database } from "#core/database/connect.ts";
import { inviteNext, previewWave } from "#core/invitations/waves.ts";
import { readMail } from "#core/mail/switch.ts";
import type { Filter } from "#core/people/filter.ts";
import { INVITATION_FILTERS } from "#core/people/filter-fields.ts";
import { formatDate, formatNumber, pluralize } from "#core/text/format.ts";
import { type SendOptions, sendInvitations } from "./invite-send.ts";

interface InviteOptions extends Filter, SendOptions {
  next?: number;
  all?: boolean;
  send?: boolean;
}

const PREVIEW_LENGTH = 5;

export function addInvite(program: Command): void {
  const command = program.subcommand("invite", "Invite the next wave of people, and email them with --send");
  addFilters(command, INVITATION_FILTERS)
    .option("--next <count>", "Invite this many people, next in line", parseCount)
    .option("--all", "Invite everyone who matches the filters")
    .option("--send", "Email them the invitation");
  addPace(command)
    .option("--subject <text>", "Subject of the email (default: a standard one)")
    .option("--body <file>", "Text of the email, as a Markdown file (default: a standard one)")
    .option("--test <address>", "Send the invitation to yourself, and invite nobody", parseMailbox)
    .option("--dry-run", "Show who would be invited, without inviting them")
    .option("--yes", "Skip the confirmation prompt")
    .notes(`
This records who is invited and when; it sends email only with --send. Nobody
is invited twice, even if two waves run at the same time.

If the servers send mail, only people who confirmed their address are invited.
To invite the others too, without an email, run it again with --no-confirmed.

--send needs mail to be on. {{inviteUrl}} needs the servers' INVITE_URL,
INVITE_KEYS, SECRET and PUBLIC_ORIGIN, and --test their mail settings. The mail
workers then send the invitations: follow, pause or cancel them with
"waitlist message".

Examples:
  npx waitlist invite --next 500 --dry-run
  npx waitlist invite --next 500 --newsletter
  npx waitlist invite --company "Acme, Inc." --all
  npx waitlist invite --send --test me@example.com
  npx waitlist invite --next 500 --send --per-day 200

Then, to get the addresses of wave 12:
  npx waitlist export --wave 12 --out wave-12.csv`)
    .action(invite);
}

const invite = withMigratedDatabase(async (db, options: InviteOptions) => {
  const { next, all, send, perHour, perDay, subject, body, test } = options;
  const filter = readFilter(options);
  if (!send && [perHour, perDay, subject, body, test].some((value) => value !== undefined)) {
    throw new UsageError("--per-hour, --per-day, --subject, --body and --test need --send.");
  }
  if ((next === undefined) === !all && test === undefined) {
    throw new UsageError("Choose --next 500 or --all (everyone matching the filters), not both.");
  }
  if (send) return sendInvitations(db, next === undefined ? filter : { ...filter, next }, options);
  if (filter.confirmed !== undefined || !(await readMail(db))) return markInvited(db, filter, options);
  // While mail is on, an unconfirmed address may belong to someone who never signed up.
  process.stderr.write("Mail is on, so this invites only confirmed people. For the others, use --no-confirmed.\n");
  return markInvited(db, { ...filter, confirmed: true }, options);
});

async function markInvited(db: Database, filter: Filter, { next, dryRun, yes }: InviteOptions): Promise<CommandResult> {
  const limit = next ?? Number.MAX_SAFE_INTEGER;
  const { total, people } = await previewWave(db, filter, limit, PREVIEW_LENGTH);
  if (total === 0) return negative("No matching people left to invite.", { invited: 0 });

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

  if (!(await confirm(`Invite ${count}?`, yes, preview))) {
    return negative("Canceled. Nobody was invited.", { invited: 0 });
  }
  const wave = await inviteNext(db, commandLineActor(), filter, limit);
  const text = `Invited ${pluralize(wave.invited, "person", "people")} in wave ${wave.id}. To get their addresses:
  npx waitlist export --wave ${wave.id} --out wave-${wave.id}.csv`;
  return { text, json: wave };
}
