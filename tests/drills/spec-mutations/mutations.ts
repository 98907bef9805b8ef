import { readFileSync } from "node:fs";

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

export const MUTATIONS: SpecMutation[] = JSON.parse(readFileSync(new URL("mutations.json", import.meta.url), "utf8"));

export const occurrences = (text: string, find: string): number => text.split(find).length - 1;
