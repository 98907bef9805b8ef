import type { Command } from "commander";
import { type CommandResult, withList } from "#cli/command.ts";
import { readKeys } from "#cli/keys.ts";
import { parseAddress } from "#cli/options.ts";
import { confirm } from "#cli/terminal/confirm.ts";
import type { Database } from "#core/database/connect.ts";
import { pluralize } from "#core/format.ts";
import { addressHash, type Erased, erase } from "#core/waitlist/erase.ts";
import { readPersonData } from "#core/waitlist/person-data.ts";
import { describe } from "./show.ts";

export function addErase(program: Command): void {
  program
    .command("erase")
    .description("remove one person from everywhere, for good")
    .argument("<address>", "their e-mail address, in any case", parseAddress)
    .option("--yes", "don't ask")
    .addHelpText(
      "after",
      `
Totals and companies stay exact. What is kept is a hash of the address, made
with SECRET, and the time, so that "waitlist erasures apply" can do it again
after a backup was restored. Whoever joins anew is a new sign-up.

Examples:
  npx waitlist erase ada@example.com
  npx waitlist erase ada@example.com --yes --json`,
    )
    .action(withList(eraseOne));
}

const NOTHING: Erased = { signUps: 0, consents: 0, quarantined: 0 };

async function eraseOne(db: Database, emailKey: string, { yes }: { yes?: boolean }): Promise<CommandResult> {
  const keys = readKeys();
  const held = await readPersonData(db, emailKey);
  if (!held.signUp && held.quarantine.length === 0) {
    return {
      text: `Nothing is held about ${emailKey}.`,
      json: NOTHING,
      isOk: false,
    };
  }
  if (!yes) process.stderr.write(`${describe(held)}\n\n`);
  if (!(await confirm("Erase all of this, for good?", yes))) {
    return { text: "Nothing was erased.", json: NOTHING, isOk: false };
  }
  const erased = await erase(db, emailKey, addressHash(keys, emailKey));
  const parts = [
    pluralize(erased.signUps, "sign-up"),
    pluralize(erased.consents, "entry of the consent ledger", "entries of the consent ledger"),
    `${erased.quarantined} in quarantine`,
  ];
  return { text: `Erased: ${parts.join(", ")}.`, json: erased };
}
