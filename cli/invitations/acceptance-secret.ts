import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, withMigratedDatabase } from "#cli/terminal/command.ts";
import { makeAcceptanceSecret } from "#core/invitations/acceptance-secrets.ts";

export function addAcceptanceSecret(program: Command): void {
  program
    .subcommand("acceptance-secret", "Print a new secret for your product, which reports used invitations with it")
    .notes(`
Servers accept it within ten seconds, and the one before for another day.
See docs/invitations.md.`)
    .examples("")
    .action(makeSecret);
}

const makeSecret = withMigratedDatabase(async (db) => {
  const made = await makeAcceptanceSecret(db, commandLineActor());
  return { text: `The new secret, which can't be shown again:\n${made.secret}`, json: made };
});
