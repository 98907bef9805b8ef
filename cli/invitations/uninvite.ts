import { commandLineActor } from "#cli/terminal/actor.ts";
import {
  type Command,
  type CommandResult,
  negative,
  notOnList,
  UsageError,
  withMigratedDatabase,
} from "#cli/terminal/command.ts";
import { confirm } from "#cli/terminal/confirm.ts";
import { escapeInvisible } from "#cli/terminal/escape-invisible.ts";
import { parseAddress, parseId } from "#cli/terminal/options.ts";
import type { Database } from "#core/database/connect.ts";
import type { EmailKey } from "#core/database/tables.ts";
import { uninvitePerson, uninviteWave } from "#core/invitations/uninvite.ts";
import { readSignUp } from "#core/members/person-data.ts";
import { countMatching } from "#core/people/filter.ts";
import { pluralize } from "#core/text/format.ts";

interface UninviteOptions {
  wave?: string;
  dryRun?: boolean;
  yes?: boolean;
}

export function addUninvite(program: Command): void {
  program
    .subcommand("uninvite", "Take back an invitation, or a whole wave")
    .argument("[address]", "Email address; case doesn't matter", parseAddress)
    .option("--wave <id>", 'Take back the wave with this ID (see "waitlist status")', parseId)
    .option("--dry-run", "Show how many invitations would be taken back, without doing it")
    .option("--yes", "Skip the confirmation prompt")
    .notes(`
This only changes the list. It can't unsend an invitation: people you have
already told still think they are invited. Invitation emails that haven't been
sent yet are skipped. The next wave may invite the same people again, with a
new email. Invitations that were used stay as they are.`)
    .examples("ada@example.com", "--wave 12 --dry-run")
    .action(uninvite);
}

const uninvite = withMigratedDatabase(async (db, emailKey: EmailKey | undefined, options: UninviteOptions) => {
  const { wave } = options;
  if (emailKey !== undefined && wave === undefined) return uninviteOne(db, emailKey, options);
  if (emailKey === undefined && wave !== undefined) return uninviteAll(db, wave, options);
  throw new UsageError("Choose an email address or --wave 12, not both.");
});

async function uninviteOne(db: Database, emailKey: EmailKey, options: UninviteOptions): Promise<CommandResult> {
  const person = await readSignUp(db, { email_key: emailKey });
  if (!person) return notOnList(emailKey, { uninvited: 0 });
  const email = escapeInvisible(person.email);
  if (!person.invited_at) return negative(`${email} isn't invited.`, { uninvited: 0 });
  if (person.accepted_at)
    return negative(`${email} has used their invitation, so it can't be taken back.`, { uninvited: 0 });
  return takeBack(`the invitation of ${email}`, 1, options, async () =>
    (await uninvitePerson(db, commandLineActor(), person.id)) ? 1 : 0,
  );
}

async function uninviteAll(db: Database, wave: string, options: UninviteOptions): Promise<CommandResult> {
  const name = `wave ${wave}`;
  const total = await countMatching(db, { wave, invited: true, accepted: false });
  if (total === 0) return negative(`No invitation of ${name} can be taken back.`, { uninvited: 0 });
  return takeBack(`${pluralize(total, "invitation")} of ${name}`, total, options, () =>
    uninviteWave(db, commandLineActor(), wave),
  );
}

const CANNOT_UNSEND = "Anyone who was already told still thinks they are invited.";

async function takeBack(
  what: string,
  total: number,
  { dryRun, yes }: UninviteOptions,
  work: () => Promise<number>,
): Promise<CommandResult> {
  if (dryRun) {
    return { text: `Dry run: would take back ${what}.\n${CANNOT_UNSEND}`, json: { wouldUninvite: total } };
  }
  if (!(await confirm(`Take back ${what}?`, yes, CANNOT_UNSEND))) {
    return negative("Canceled. No invitation was taken back.", { uninvited: 0 });
  }
  const uninvited = await work();
  return { text: `Took back ${pluralize(uninvited, "invitation")}. ${CANNOT_UNSEND}`, json: { uninvited } };
}
