import { readFileSync } from "node:fs";

/** A small change to the product that a test must catch. */
export interface Mutation {
  name: string;
  file: string;
  /** Must occur once in the file, in any formatting. Short, so that other changes rarely affect it. */
  find: string;
  replace: string;
}

/**
 * Parses a text file, because code needs no quotes there, and no formatter changes it. Each mutation is a paragraph:
 * its name, a file, the lines to find ("-"), their replacement ("+"), and in rules.txt its test.
 */
export function parseMutations(list: URL): (Mutation & { test: string })[] {
  const paragraphs = readFileSync(list, "utf8")
    .trim()
    .split(/\n{2,}/);
  return paragraphs.map((paragraph) => {
    const [name = "", file = "", ...lines] = paragraph.split("\n");
    const marked = (mark: string) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
    const test = lines.find((line) => !/^[-+]/.test(line)) ?? "";
    return { name, file, find: marked("-").join("\n"), replace: marked("+").join("\n"), test };
  });
}

/**
 * Each mutation violates the specification line that its name starts with. The rest of the name is the effect that a
 * visitor or the server would see. Keep the name when you adapt the change to new code.
 */
export const MUTATIONS = parseMutations(new URL("mutations.txt", import.meta.url)).map((mutation) => ({
  ...mutation,
  line: mutation.name.slice(0, mutation.name.indexOf(" ")),
}));
