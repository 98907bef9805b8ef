/** Preloaded by a negative control: a server that counts a batch 50 ms after its commit, in another transaction. */
import { changeSource } from "./change-source.ts";

changeSource("core/sign-ups/write-batch.ts", [
  ["where slot = totals_slot() and gained.users > 0", "where false"],
  [
    "select\n      sum(totals.users)",
    "select min(gained.users) as joined, min(gained.companies) as new, sum(totals.users)",
  ],
  [
    "const [row] = rows;",
    `const [row] = rows;
     await new Promise((resolve) => setTimeout(resolve, 50));
     const COUNT = "update totals set users = users + $1, companies = companies + $2 where slot = totals_slot()";
     await db.query(COUNT, [row.joined, row.new]);`,
  ],
]);
