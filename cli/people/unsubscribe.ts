import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, notOnList, withMigratedDatabase } from "#cli/terminal/command.ts";
import { escapeInvisible } from "#cli/terminal/escape-invisible.ts";
import { parseAddress } from "#cli/terminal/options.ts";
import type { EmailKey } from "#core/database/tables.ts";
import { setNewsletter } from "#core/members/member.ts";
import { readSignUp } from "#core/members/person-data.ts";

export function addUnsubscribe(program: Command): void {
  program
    .subcommand("unsubscribe", "Unsubscribe one person from the newsletter")
    .argument("<address>", "Email address; case doesn't matter", parseAddress)
    .notes(`
They stay on the list, and the consent ledger records that they withdrew. Only
they can subscribe again, on their member page. To unsubscribe many people, see
"waitlist suppressions import".`)
    .examples("ada@example.com")
    .action(unsubscribe);
}

const unsubscribe = withMigratedDatabase(async (db, emailKey: EmailKey) => {
  const person = await readSignUp(db, { email_key: emailKey });
  if (!person) return notOnList(emailKey, { unsubscribed: false });
  await setNewsletter(db, commandLineActor(), person.id, false);
  const email = escapeInvisible(person.email);
  const text = person.newsletter
    ? `Unsubscribed ${email} from the newsletter.`
    : `${email} isn't subscribed to the newsletter. Nothing changed.`;
  return { text, json: { unsubscribed: person.newsletter } };
});
