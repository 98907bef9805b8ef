import type { Mutation } from "#tests/drills/spec-mutations/mutations.ts";
import { ACCESS_RULES } from "./access-rules.ts";
import { LIMIT_RULES } from "./limit-rules.ts";
import { MAIL_RULES } from "./mail-rules.ts";
import { PEOPLE_RULES } from "./people-rules.ts";
import { RETENTION_RULES } from "./retention-rules.ts";
import { SIGN_UP_RULES } from "./sign-up-rules.ts";

/** By the rule in one sentence: a change that breaks it, and the test that must fail then. */
export type Rules = Record<
  string,
  [change: [file: string, find: string, replace: string], test: [file: string, title: string]]
>;

interface Rule extends Mutation {
  rule: string;
  test: { file: string; title: string };
}

/** Rule and test are fixed; the change is rewritten when its code moves. */
export const RULES: Rule[] = [SIGN_UP_RULES, PEOPLE_RULES, RETENTION_RULES, MAIL_RULES, ACCESS_RULES, LIMIT_RULES]
  .flatMap((rules) => Object.entries(rules))
  .map(([rule, [[file, find, replace], [testFile, title]]]) => ({
    rule,
    file,
    find,
    replace,
    test: { file: testFile, title },
  }));
