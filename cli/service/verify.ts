import { type Command, withMigratedDatabase } from "#cli/command.ts";
import { formatTable } from "#cli/terminal/table.ts";
import { formatNumber } from "#core/format.ts";
import { verifySearchWords } from "#core/people/verify-search.ts";
import { verifyTotals } from "#core/sign-ups/totals.ts";
import { verifyConsents } from "#core/sign-ups/verify-consents.ts";

export function addVerify(program: Command): void {
  program
    .command("verify")
    .description("Check totals and consents against a full count")
    .notes(`
Compares the totals, each company's count, everyone's search words and the
consent ledger with the list. Safe to run while people join. Exits with 1 if
anything is wrong.

Example:
  npx waitlist verify`)
    .action(verify);
}

const verify = withMigratedDatabase(async (db) => {
  // One snapshot for all, so that nobody can join or be erased in between.
  const { totals, ledger, wrongSearchWords } = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (transaction) => ({
      totals: await verifyTotals(transaction),
      ledger: await verifyConsents(transaction),
      wrongSearchWords: await verifySearchWords(transaction),
    }));
  const { kept, counted, wrongCompanies } = totals;
  const checks = [
    { name: "People", kept: kept.totalUsers, counted: counted.totalUsers },
    { name: "Companies", kept: kept.companiesInterested, counted: counted.companiesInterested },
    { name: "Companies with a wrong sign-up count", kept: 0, counted: wrongCompanies },
    { name: "People with wrong search words", kept: 0, counted: wrongSearchWords },
    { name: "Consents without a sign-up", kept: 0, counted: ledger.orphans },
    { name: "Consents to an unknown wording", kept: 0, counted: ledger.withoutWording },
    { name: "Newsletter settings that contradict the last consent", kept: 0, counted: ledger.contradictions },
  ];
  const isOk = checks.every((check) => check.kept === check.counted);
  const rows = checks.map(({ name, kept: expected, counted: found }) => ({
    Check: name,
    Expected: formatNumber(expected),
    Found: formatNumber(found),
    "": expected === found ? "" : "WRONG",
  }));
  return {
    text: `${formatTable(rows)}\n\n${isOk ? "Everything matches." : "Not everything matches. See “Wrong totals” in docs/operations.md."}`,
    json: { totals, ledger, wrongSearchWords, isExact: isOk },
    isOk,
  };
});
