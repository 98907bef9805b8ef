import { styleText } from "node:util";
import stringWidth from "string-width";

/** A day, like 2026-11-30, is never cut. */
const MIN_WIDTH = 10;

/** Rows as a table no wider than the terminal: where they don't fit, the widest columns are cut, `whole` as the last. */
export function table(
  rows: Record<string, string>[],
  { whole, width = process.stdout.columns ?? 80 }: { whole?: string; width?: number } = {},
): string {
  const names = Object.keys(rows[0] ?? {});
  const widths = new Map(names.map((name) => [name, widest([name, ...rows.map((row) => row[name] ?? "")])]));
  const gaps = 2 * (names.length - 1);
  for (let over = sum([...widths.values()]) + gaps - width; over > 0; over -= 1) {
    const byWidth = [...widths].toSorted(([, one], [, other]) => other - one);
    const [name, most] = byWidth.find(([name, wide]) => name !== whole && wide > MIN_WIDTH) ?? byWidth[0] ?? ["", 0];
    if (most <= 1) break;
    widths.set(name, most - 1);
  }
  const line = (cell: (name: string) => string) =>
    names
      .map((name) => fit(cell(name), widths.get(name) ?? 0))
      .join("  ")
      .trimEnd();
  return [
    styleText(
      "dim",
      line((name) => name),
    ),
    ...rows.map((row) => line((name) => row[name] ?? "")),
  ].join("\n");
}

/** What is said about one thing, a line each; long values go on below themselves. */
export function keyValueList(all: Record<string, string>, width = process.stdout.columns ?? 80): string {
  const names = Object.keys(all);
  const indent = widest(names) + 2;
  return names
    .map((name) => {
      const lines = wrap(all[name] ?? "", Math.max(20, width - indent));
      return styleText("dim", fit(name, indent)) + lines.join(`\n${" ".repeat(indent)}`);
    })
    .join("\n");
}

function fit(text: string, width: number): string {
  if (stringWidth(text) <= width) return text + " ".repeat(width - stringWidth(text));
  let cut = "";
  for (const character of text) {
    if (stringWidth(cut + character) > width - 1) break;
    cut += character;
  }
  return fit(`${cut}…`, width);
}

function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last === "") lines[lines.length - 1] = word;
    else if (stringWidth(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function widest(texts: string[]): number {
  return texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
