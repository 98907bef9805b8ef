/**
 * `npm run drill -- rule-mutations [part of a rule]`: breaks each of the product's rules with a small change in a copy
 * of the project. The rule's test must fail an assertion.
 */
import { tryMutations } from "#tests/drills/spec-mutations/try-mutations.ts";
import { saveResults } from "#tests/support/results.ts";
import { RULES } from "./rules.ts";

const parts = process.argv.slice(2).map((part) => part.toLowerCase());
const chosen = RULES.filter(
  ({ rule }) => parts.length === 0 || parts.some((part) => rule.toLowerCase().includes(part)),
);
if (chosen.length === 0) throw new Error(`No rule has ${parts.join(" or ")} in it`);

const missed = await tryMutations(
  chosen.map(({ rule: name, test, ...mutation }) => ({
    ...mutation,
    name,
    tests: [{ runner: "vitest" as const, ...test }],
  })),
);

const caught = chosen.length - missed.length;
console.log(`${caught} of ${chosen.length} rules caught`);
// results/rule-mutations.json is the record of a full run.
if (parts.length === 0) await saveResults("rule-mutations", { rules: chosen.length, caught, missed });
process.exitCode = missed.length > 0 ? 1 : 0;
