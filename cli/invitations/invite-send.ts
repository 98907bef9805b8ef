import { type PaceOptions, readBody, readPace } from "#cli/messages/message-options.ts";
import { sendOneTest } from "#cli/messages/message-preview.ts";
import { countRecipients, sendMessage } from "#cli/messages/message-send.ts";
import { formatPace, formatSplit, howToFollow } from "#cli/messages/message-texts.ts";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { negative } from "#cli/terminal/command.ts";
import { confirm } from "#cli/terminal/confirm.ts";
import { requireMail } from "#cli/terminal/settings.ts";
import type { Address } from "#contract/sign-up.ts";
import { readConfig } from "#core/config/config.ts";
import type { Database } from "#core/database/connect.ts";
import { defaultInvitation, INVITATION_SUBJECT } from "#core/invitations/invitation-text.ts";
import { invalid, NEEDS_INVITATIONS } from "#core/mail/rendering/placeholders.ts";
import { type Audience, splitAudience } from "#core/messages/audience.ts";
import { checkDraft, createMessage } from "#core/messages/messages.ts";
import { pluralize } from "#core/text/format.ts";

export interface SendOptions extends PaceOptions {
  subject?: string;
  /** The Markdown file. */
  body?: string;
  test?: Address;
  dryRun?: boolean;
  yes?: boolean;
}

/** Invites people by email: a message that `waitlist message` can pause, resume and cancel. */
export async function sendInvitations(db: Database, audience: Audience, options: SendOptions) {
  const { subject = INVITATION_SUBJECT, body: file, test, dryRun, yes } = options;
  await requireMail(db);
  const { invitations } = readConfig();
  const body = file === undefined ? invitations && defaultInvitation(invitations).body : await readBody(file);
  if (body === undefined) return invalid(NEEDS_INVITATIONS);
  const text = { kind: "invitation", subject, body } as const;
  const draft = { ...text, audience, pace: readPace(options) };
  const problem = checkDraft(draft, invitations);
  if (problem) return problem;
  if (test !== undefined) return sendOneTest(db, text, test);

  const split = await splitAudience(db, draft);
  const summary = formatSplit(split);
  if (split.recipients === 0) {
    return negative(`${summary}\n\nNo matching people left to invite.`, { invited: 0, ...split });
  }
  const people = pluralize(split.recipients, "person", "people");
  if (dryRun) {
    const outcome = `Dry run: ${people} would be invited, ${formatPace(draft.pace)}.`;
    return { text: `${summary}\n\n${outcome}`, json: { wouldInvite: split.recipients, ...split } };
  }
  if (!(await confirm(`Invite ${people} by email, ${formatPace(draft.pace)}?`, yes, summary))) {
    return negative("Canceled. Nobody was invited.", { invited: 0 });
  }
  const message = await createMessage(db, commandLineActor(), draft, invitations);
  if ("refused" in message) return message;
  const { id } = message;
  process.stderr.write(`Saved message ${id}. After an interruption, continue with: npx waitlist message send ${id}\n`);
  const started = await sendMessage(db, message);
  if ("refused" in started) return started;
  const invited = countRecipients(started);
  return {
    text: `Invited ${pluralize(invited, "person", "people")} in wave ${started.waveId}. Message ${id} emails them, ${formatPace(draft.pace)}. ${howToFollow(id)}`,
    json: { id, waveId: started.waveId, invited },
  };
}
