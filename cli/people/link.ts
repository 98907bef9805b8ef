import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, notOnList, withMigratedDatabase } from "#cli/terminal/command.ts";
import { escapeInvisible } from "#cli/terminal/escape-invisible.ts";
import { parseAddress } from "#cli/terminal/options.ts";
import { readLinkSettings } from "#cli/terminal/settings.ts";
import { recordActivity } from "#core/activity/activity.ts";
import type { EmailKey } from "#core/database/tables.ts";
import { LINK_LIFETIME_DAYS, memberLink } from "#core/links/links.ts";
import { readSignUp } from "#core/members/person-data.ts";

export function addLink(program: Command): void {
  program
    .subcommand("link", "Print the link to one person's member page")
    .argument("<address>", "Email address; case doesn't matter", parseAddress)
    .notes(`
For someone who lost the email with their link. The link works for ${LINK_LIFETIME_DAYS} days.
Anyone who has it can see, change and erase that person's data, and confirm
their address, so send it only to that address. Needs SECRET and PUBLIC_ORIGIN,
and LINK_KEYS if the servers have it.`)
    .examples("ada@example.com")
    .action(link);
}

const link = withMigratedDatabase(async (db, emailKey: EmailKey) => {
  const { keys, origin } = readLinkSettings();
  const person = await readSignUp(db, { email_key: emailKey });
  if (!person) return notOnList(emailKey, null);
  const { email } = person;
  await recordActivity(db, commandLineActor(), { action: "create link", person: person.id });
  process.stderr.write(
    `This link gives access to the person's data for ${LINK_LIFETIME_DAYS} days. Send it only to ${escapeInvisible(email)}.\n`,
  );
  const url = memberLink(keys, person, origin);
  return { text: url, json: { email, link: url } };
});
