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
import { parseAddress, parseCount } from "#cli/terminal/options.ts";
import { readConfig } from "#core/config/config.ts";
import type { Database } from "#core/database/connect.ts";
import type { EmailKey } from "#core/database/tables.ts";
import { defaultInvitation } from "#core/invitations/invitation-text.ts";
import { inviteNext, invitePerson } from "#core/invitations/waves.ts";
import { describeReason } from "#core/mail/delivery-reasons.ts";
import { readRefusals } from "#core/mail/recipients.ts";
import { NEEDS_INVITATIONS } from "#core/mail/rendering/placeholders.ts";
import { readMail } from "#core/mail/switch.ts";
import { readSignUp } from "#core/members/person-data.ts";
import { splitAudience } from "#core/messages/audience.ts";
import { createMessage } from "#core/messages/messages.ts";
import { sendDraft } from "#core/messages/send-draft.ts";
import { countMatching } from "#core/people/filter.ts";
import { pluralize } from "#core/text/format.ts";

interface InviteOptions {
  send?: boolean;
  yes?: boolean;
}

export function addInvite(program: Command): void {
  program
    .subcommand("invite", "Invite the next people in line, or one person")
    .argument("<whom>", "How many people, or one email address", parseWhom)
    .option("--send", "Email them the invitation")
    .option("--yes", "Skip the confirmation prompt")
    .notes(`
Without --send, this only records who is invited and when. If the servers send
mail, a number of people means people who confirmed their address. Nobody is
invited twice, even if two waves run at the same time.

--send needs mail to be on, and the servers' INVITE_URL, INVITE_KEYS, SECRET
and PUBLIC_ORIGIN. The mail workers then send the invitations. To write your
own text, choose people by filters, or pause or cancel, use the console.

Examples:
  npx waitlist invite 500
  npx waitlist invite ada@example.com --send

As a daily job:
  npx waitlist invite 200 --send --yes

Then, to get the addresses of wave 12:
  npx waitlist export --wave 12 --out wave-12.csv`)
    .action(invite);
}

const parseWhom = (text: string) => (text.includes("@") ? parseAddress(text) : parseCount(text));

const invite = withMigratedDatabase(async (db, whom: number | EmailKey, { send, yes }: InviteOptions) => {
  const email = send ? await readInvitation(db) : undefined;
  return typeof whom === "number" ? inviteMany(db, whom, email, yes) : inviteOne(db, whom, email, yes);
});

type Invitation = Awaited<ReturnType<typeof readInvitation>>;

/** Refuses if nobody can be emailed, because a daily job would go on inviting people who never hear of it. */
async function readInvitation(db: Database) {
  const mail = await readMail(db);
  if (!mail) throw new UsageError("Mail is off. To turn it on, start the servers with SMTP_URL.");
  const { invitations } = readConfig();
  if (!invitations) throw new UsageError(NEEDS_INVITATIONS);
  return { mail, invitations, ...defaultInvitation(invitations) };
}

const CANCELED = negative("Canceled. Nobody was invited.", { invited: 0 });

async function inviteMany(
  db: Database,
  next: number,
  email: Invitation | undefined,
  yes: boolean | undefined,
): Promise<CommandResult> {
  // While mail is on, an unconfirmed address may belong to someone who never signed up.
  const filter = (await readMail(db)) ? { confirmed: true } : {};
  const left = email
    ? (await splitAudience(db, { kind: "invitation", audience: {} })).recipients
    : await countMatching(db, { ...filter, invited: false });
  if (left === 0) return negative("Nobody is left to invite.", { invited: 0 });
  const question = `Invite ${pluralize(Math.min(left, next), "person", "people")}${email ? " by email" : ""}?`;
  if (!(await confirm(question, yes))) return CANCELED;
  if (email) return sendInvitations(db, next, email);
  const wave = await inviteNext(db, commandLineActor(), filter, next);
  return {
    text: `Invited ${pluralize(wave.invited, "person", "people")} in wave ${wave.id}.`,
    json: { wave: wave.id, invited: wave.invited },
  };
}

async function sendInvitations(db: Database, next: number, email: Invitation): Promise<CommandResult> {
  const { mail, invitations, subject, body } = email;
  const draft = { kind: "invitation", subject, body, audience: { next }, pace: null } as const;
  const created = await createMessage(db, commandLineActor(), draft, invitations);
  if ("refused" in created) throw new UsageError(created.detail);
  process.stderr.write(`Saved message ${created.id}. If this is interrupted, send it from the console.\n`);
  const sent = await sendDraft(db, mail, commandLineActor(), created);
  if ("refused" in sent) return negative(sent.detail, { invited: 0 });
  const { id, waveId: wave, progress } = sent;
  const invited = Object.values(progress).reduce((sum, people) => sum + people, 0);
  return {
    text: `Invited ${pluralize(invited, "person", "people")} in wave ${wave}. The mail workers send them message ${id}.`,
    json: { wave, invited, message: id },
  };
}

async function inviteOne(
  db: Database,
  emailKey: EmailKey,
  email: Invitation | undefined,
  yes: boolean | undefined,
): Promise<CommandResult> {
  const person = await readSignUp(db, { email_key: emailKey });
  if (!person) return notOnList(emailKey, { invited: 0 });
  const name = escapeInvisible(person.email);
  const { invitation: reason } = await readRefusals(db, person.id);
  if (reason && (email || reason === "invited"))
    return negative(`${name} wasn't invited: ${describeReason(reason)}.`, { invited: 0 });
  if (!(await confirm(`Invite ${name}${email ? " by email" : ""}?`, yes))) return CANCELED;
  const wave = await invitePerson(db, commandLineActor(), person.id, email);
  if (!wave) return negative(`${name} is already invited, or has left.`, { invited: 0 });
  return { text: `Invited ${name} in wave ${wave.id}.`, json: { wave: wave.id, invited: 1 } };
}
