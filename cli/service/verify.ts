import { commandLineActor } from "#cli/terminal/actor.ts";
import { type Command, withMigratedDatabase } from "#cli/terminal/command.ts";
import { formatTable } from "#cli/terminal/table.ts";
import { recountFriends } from "#core/members/friends.ts";
import { countOutdated, repairOutdated } from "#core/members/verify-derived.ts";
import { countMisplaced, findMiscounted } from "#core/members/verify-line.ts";
import { verifyTotals } from "#core/people/totals.ts";
import { verifyConsents } from "#core/sign-ups/verify-consents.ts";
import { formatNumber } from "#core/text/format.ts";

export function addVerify(program: Command): void {
  program
    .subcommand("verify", "Check totals, consents and the line against a full count")
    .option("--repair", "First recompute outdated keys, search words and numbers of friends")
    .notes(`
Compares the totals, each company's count, the consent ledger, the line, and
everyone's keys, search words and number of friends with the list, and names
addresses that the form refuses today, by ID. Safe to run while people join.
Exits with 1 if anything is wrong.

Use --repair after an upgrade that changed how keys or search words are derived.
It is safe to interrupt. Only the owner of the tables can change email keys.`)
    .examples("", "--repair")
    .action(verify);
}

const verify = withMigratedDatabase(async (db, { repair }: { repair?: boolean }) => {
  if (repair) {
    await repairOutdated(db, commandLineActor());
    for await (const id of findMiscounted(db))
      await db.transaction().execute((transaction) => recountFriends(transaction, [id]));
  }
  // Uses one snapshot for all checks, so that nobody can join or be erased in between.
  const { totals, ledger, outdated, misplaced, miscounted } = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (transaction) => ({
      totals: await verifyTotals(transaction),
      ledger: await verifyConsents(transaction),
      outdated: await countOutdated(transaction),
      misplaced: await countMisplaced(transaction),
      miscounted: (await Array.fromAsync(findMiscounted(transaction))).length,
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
    { name: "People with a wrong number of friends", kept: 0, counted: miscounted },
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
    json: { totals, ledger, outdated, misplaced, miscounted, isExact: isOk },
    isOk,
  };
});
