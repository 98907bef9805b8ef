import { readConfig } from "#server/config.ts";
import { connect } from "#server/database/connect.ts";
import { verifyTotals } from "#server/waitlist/totals.ts";

const db = connect(readConfig().DATABASE_URL);
const { kept, counted, wrongCompanies, exact } = await verifyTotals(db).finally(() => db.destroy());
console.table({ kept, counted });
console.log(exact ? "The totals are exact." : `The totals are wrong, ${wrongCompanies} companies among them.`);
process.exitCode = exact ? 0 : 1;
