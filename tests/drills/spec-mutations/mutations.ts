import { readFileSync } from "node:fs";

/** A small change to the product that a test must catch. */
export interface Mutation {
  file: string;
  /** Must occur once in the file. Short, so that other changes rarely affect it. */
  find: string;
  replace: string;
}

/** Violates a line of the specification. */
interface SpecMutation extends Mutation {
  line: string;
  /** The effect that a visitor or the server would see. Stays the same when the change is adapted to new code. */
  idea: string;
}

export const MUTATIONS: SpecMutation[] = JSON.parse(readFileSync(new URL("mutations.json", import.meta.url), "utf8"));

export const occurrences = (text: string, find: string): number => text.split(find).length - 1;
