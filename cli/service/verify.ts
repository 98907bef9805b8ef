import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, withMigratedDatabase } from "#cli/terminal/command.ts";
import { formatTable } from "#cli/terminal/table.ts";
import { countOutdated, repairOutdated } from "#core/members/verify-derived.ts";
import { countMisplaced } from "#core/members/verify-line.ts";
import { verifyTotals } from "#core/people/totals.ts";
import { verifyConsents } from "#core/sign-ups/verify-consents.ts";
import { formatNumber } from "#core/text/format.ts";

export function addVerify(program: Command): void {
  program
    .subcommand("verify", "Check totals, consents and the line against a full count")
    .option("--repair", "First recompute outdated keys and search words")
    .notes(`
Compares the totals, each company's count, the consent ledger, the line, and
everyone's keys and search words with the list, and names addresses that the
form refuses today, by ID. Safe to run while people join.
Exits with 1 if anything is wrong.

Use --repair after an upgrade that changed how keys or search words are derived.
It is safe to interrupt. Only the owner of the tables can change email keys.`)
    .examples("", "--repair")
    .action(verify);
}

const verify = withMigratedDatabase(async (db, { repair }: { repair?: boolean }) => {
  if (repair) await repairOutdated(db, commandLineActor());
  // Uses one snapshot for all checks, so that nobody can join or be erased in between.
  const { totals, ledger, outdated, misplaced } = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (transaction) => ({
      totals: await verifyTotals(transaction),
      ledger: await verifyConsents(transaction),
      outdated: await countOutdated(transaction),
      misplaced: await countMisplaced(transaction),
    }));
  const { kept, counted, wrongCompanies } = totals;
  const checks = [
    { name: "People", kept: kept.totalUsers, counted: counted.totalUsers },
    { name: "Companies", kept: kept.companiesInterested, counted: counted.companiesInterested },
    { name: "Companies with a wrong sign-up count", kept: 0, counted: wrongCompanies },
    { name: "People with an outdated email key", kept: 0, counted: outdated.email_key },
    { name: "People with an outdated company key", kept: 0, counted: outdated.company_key },
    { name: "People with outdated search words", kept: 0, counted: outdated.search_words },
    { name: "People whose address the form refuses today", kept: 0, counted: outdated.refused.length },
    { name: "Consents without a sign-up", kept: 0, counted: ledger.orphans },
    { name: "Consents to an unknown wording", kept: 0, counted: ledger.withoutWording },
    { name: "Newsletter settings that contradict the last consent", kept: 0, counted: ledger.contradictions },
    { name: "People with a wrong place in line", kept: 0, counted: misplaced },
  ];
  const isOk = checks.every((check) => check.kept === check.counted);
  const rows = checks.map(({ name, kept: expected, counted: found }) => ({
    Check: name,
    Expected: formatNumber(expected),
    Found: formatNumber(found),
    "": expected === found ? "" : "WRONG",
  }));
  // IDs instead of addresses, because the nightly job's output is logged.
  const refused = outdated.refused.length ? `\n\nIDs of refused addresses: ${outdated.refused.join(", ")}` : "";
  return {
    text: `${formatTable(rows)}${refused}\n\n${isOk ? "Everything matches." : "Not everything matches. See “Wrong totals” in docs/operations.md."}`,
    json: { totals, ledger, outdated, misplaced, isExact: isOk },
    isOk,
  };
});
