/**
 * `npm run drill -- rule-mutations [parts of rules] [--stale]`: breaks each of the product's rules with a small change
 * in a copy of the project. The rule's test must fail an assertion. `--stale` only lists the mutations whose code is
 * gone.
 */
import { parseArgs } from "node:util";
import { drillMutations } from "#tests/drills/spec-mutations/drill-mutations.ts";
import { parseMutations } from "#tests/drills/spec-mutations/mutations.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { stale: { type: "boolean" } } });
const parts = positionals.map((part) => part.toLowerCase());
const isAll = parts.length === 0;

/** Each mutation's name states its rule. When code changes, adapt the mutation, not its rule or test. */
const rules = parseMutations(new URL("rules.txt", import.meta.url));
const chosen = rules.filter(({ name }) => isAll || parts.some((part) => name.toLowerCase().includes(part)));
if (chosen.length === 0) throw new Error(`No rule has ${parts.join(" or ")} in it`);

await drillMutations(
  "rule-mutations",
  chosen.map(({ test, ...mutation }) => {
    const [file = "", title = ""] = test.split(/: (.*)/);
    return { ...mutation, tests: [{ runner: "vitest" as const, file, title }] };
  }),
  { isListing: values.stale === true, isAll },
);
