import type { Command } from "commander";
import { type CommandResult, withList } from "#cli/command.ts";
import { table } from "#cli/terminal/table.ts";
import type { Database } from "#core/database/connect.ts";
import { formatNumber } from "#core/format.ts";
import { verifyTotals } from "#core/waitlist/totals.ts";
import { verifyConsents } from "#core/waitlist/verify-consents.ts";

export function addVerify(program: Command): void {
  program
    .command("verify")
    .description("compare totals, companies and the consent ledger with a full count")
    .addHelpText("after", "\nMay run while people join. Exits with 1 where something is wrong.")
    .action(withList(verify));
}

async function verify(db: Database): Promise<CommandResult> {
  // One moment for both, so that nobody can join or be erased between them.
  const { totals, ledger } = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (transaction) => ({
      totals: await verifyTotals(transaction),
      ledger: await verifyConsents(transaction),
    }));
  const { kept, counted, wrongCompanies } = totals;
  const checks = [
    { what: "people", kept: kept.totalUsers, counted: counted.totalUsers },
    { what: "companies", kept: kept.companiesInterested, counted: counted.companiesInterested },
    { what: "companies with a wrong number of people", kept: 0, counted: wrongCompanies },
    { what: "consents of nobody on the list", kept: 0, counted: ledger.orphans },
    { what: "consents to unknown words", kept: 0, counted: ledger.withoutWording },
    { what: "people whose setting isn't what they said last", kept: 0, counted: ledger.contradictions },
  ];
  const isOk = checks.every((check) => check.kept === check.counted);
  const rows = checks.map(({ what, kept: expected, counted: found }) => ({
    what,
    expected: formatNumber(expected),
    found: formatNumber(found),
    "": expected === found ? "" : "WRONG",
  }));
  return {
    text: `${table(rows)}\n\n${isOk ? "All exact." : "Not exact. See docs/operations.md, “verify finds something”."}`,
    json: { totals, ledger, isExact: isOk },
    isOk,
  };
}
