import { CALLS_AND_ERRORS } from "./mutations/calls-and-errors.ts";
import { CONSTANTS } from "./mutations/constants.ts";
import { ENTITIES_AND_STATES } from "./mutations/entities-and-states.ts";
import { SCREENS } from "./mutations/screens.ts";
import { VALIDATION_AND_ROLES } from "./mutations/validation-and-roles.ts";
import { WHAT_IT_DOES } from "./mutations/what-it-does.ts";

/** A small change of the product that a test must notice. */
export interface Mutation {
  file: string;
  /** Occurs once in the file. Short, so that other changes leave it alone. */
  find: string;
  replace: string;
}

/** Makes a line of the specification untrue. */
interface SpecMutation extends Mutation {
  line: string;
  /** What a visitor would see, or the server receive, instead. It stays when the patch follows the code. */
  idea: string;
}

export type MutationRow = [line: string, idea: string, file: string, find: string, replace: string];

export const MUTATIONS: SpecMutation[] = [
  ...WHAT_IT_DOES,
  ...SCREENS,
  ...ENTITIES_AND_STATES,
  ...VALIDATION_AND_ROLES,
  ...CALLS_AND_ERRORS,
  ...CONSTANTS,
].map(([line, idea, file, find, replace]) => ({ line, idea, file, find, replace }));

export const occurrences = (text: string, find: string): number => text.split(find).length - 1;
