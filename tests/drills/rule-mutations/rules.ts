import { readFileSync } from "node:fs";
import type { Mutation } from "#tests/drills/spec-mutations/mutations.ts";

interface Rule extends Mutation {
  /** One sentence. */
  rule: string;
  /** Must fail when the rule is broken. */
  test: { file: string; title: string };
}

/** Rule and test are fixed; the change is rewritten when its code moves. */
export const RULES: Rule[] = JSON.parse(readFileSync(new URL("rules.json", import.meta.url), "utf8"));
