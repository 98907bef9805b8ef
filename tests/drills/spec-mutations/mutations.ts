import { readFileSync } from "node:fs";

/** A small change to the product that a test must catch. */
export interface Mutation {
  /** The line of the specification, then the effect that a visitor or the server would see. */
  name: string;
  file: string;
  /** Must occur once in the file, in any formatting. Short, so that other changes rarely affect it. */
  find: string;
  replace: string;
}

const paragraphs = readFileSync(new URL("mutations.txt", import.meta.url), "utf8")
  .trim()
  .split(/\n{2,}/);

/**
 * Read from a text file, because code needs no quotes there, and no formatter changes it. Each mutation is a paragraph:
 * its name, a file, the lines to find ("-") and their replacement ("+"). Keep the name when you adapt the change to new
 * code.
 */
export const MUTATIONS: (Mutation & { line: string })[] = paragraphs.map((paragraph) => {
  const [name = "", file = "", ...lines] = paragraph.split("\n");
  const marked = (mark: string) => lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
  const line = name.slice(0, name.indexOf(" "));
  return { name, line, file, find: marked("-").join("\n"), replace: marked("+").join("\n") };
});
