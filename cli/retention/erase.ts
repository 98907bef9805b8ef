import { formatPersonData } from "#cli/people/show.ts";
import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, negative, withMigratedDatabase } from "#cli/terminal/command.ts";
import { confirm } from "#cli/terminal/confirm.ts";
import { parseAddress } from "#cli/terminal/options.ts";
import { readKeys } from "#cli/terminal/settings.ts";
import type { EmailKey } from "#core/database/tables.ts";
import { readPersonData } from "#core/members/person-data.ts";
import { type Erased, erase } from "#core/retention/erase.ts";
import { pluralize } from "#core/text/format.ts";

export function addErase(program: Command): void {
  program
    .subcommand("erase", "Permanently delete all data about one person")
    .argument("<address>", "Email address; case doesn't matter", parseAddress)
    .option("--yes", "Skip the confirmation prompt")
    .notes(`
Totals and company counts stay exact. Only a hash of the address, keyed with
ERASURE_KEY (or SECRET if that isn't set), and the time are kept, so that
"waitlist erasures apply" can erase the person again after you restore a
backup. If they join again, that's a new sign-up.`)
    .examples("ada@example.com", "ada@example.com --yes --json")
    .action(erasePerson);
}

const NOTHING_ERASED: Erased = { signUps: 0, consents: 0, quarantined: 0 };

const erasePerson = withMigratedDatabase(async (db, emailKey: EmailKey, { yes }: { yes?: boolean }) => {
  const keys = readKeys();
  const data = await readPersonData(db, { email_key: emailKey });
  if (!data.signUp && data.quarantine.length === 0) return negative(`No data stored for ${emailKey}.`, NOTHING_ERASED);
  if (!(await confirm("Permanently erase all of this?", yes, formatPersonData(data)))) {
    return negative("Canceled. Nothing was erased.", NOTHING_ERASED);
  }
  const erased = await erase(db, commandLineActor(), emailKey, keys);
  const parts = [
    pluralize(erased.signUps, "sign-up"),
    pluralize(erased.consents, "consent record"),
    pluralize(erased.quarantined, "quarantine entry", "quarantine entries"),
  ];
  return { text: `Erased ${parts.join(", ")}.`, json: erased };
});
