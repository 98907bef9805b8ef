import { styleText } from "node:util";
import stringWidth from "string-width";
import { escapeInvisible } from "./escape-invisible.ts";

/** Room for a date like 2026-11-30. */
const MIN_COLUMN_WIDTH = 10;

/** Fits the terminal by truncating the widest columns, `keepColumn` last. */
export function formatTable(
  cells: Record<string, string>[],
  { keepColumn, width: maxWidth = process.stdout.columns ?? 80 }: { keepColumn?: string; width?: number } = {},
): string {
  const rows = cells.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, text]) => [name, escapeInvisible(text)])),
  );
  const names = Object.keys(rows[0] ?? {});
  const widths = new Map(names.map((name) => [name, widest([name, ...rows.map((row) => row[name] ?? "")])]));
  const gaps = 2 * (names.length - 1);
  const needed = widths.values().reduce((sum, width) => sum + width, gaps);
  for (let excess = needed - maxWidth; excess > 0; excess -= 1) {
    const byWidth = [...widths].toSorted(([, one], [, other]) => other - one);
    const canShrink = ([name, width]: [string, number]) => name !== keepColumn && width > MIN_COLUMN_WIDTH;
    const [name, width] = byWidth.find(canShrink) ?? byWidth[0] ?? ["", 0];
    if (width <= 1) break;
    widths.set(name, width - 1);
  }
  const line = (cell: (name: string) => string) =>
    names
      .map((name) => fit(cell(name), widths.get(name) ?? 0))
      .join("  ")
      .trimEnd();
  const header = line((name) => name);
  return [styleText("dim", header), ...rows.map((row) => line((name) => row[name] ?? ""))].join("\n");
}

export function formatKeyValueList(pairs: Record<string, string>, width = process.stdout.columns ?? 80): string {
  const names = Object.keys(pairs);
  const indent = widest(names) + 2;
  return names
    .map((name) => {
      const lines = wrap(escapeInvisible(pairs[name] ?? ""), Math.max(20, width - indent));
      return styleText("dim", fit(name, indent)) + lines.join(`\n${" ".repeat(indent)}`);
    })
    .join("\n");
}

function fit(text: string, width: number): string {
  if (stringWidth(text) <= width) return text + " ".repeat(width - stringWidth(text));
  let truncated = "";
  for (const character of text) {
    if (stringWidth(truncated + character) > width - 1) break;
    truncated += character;
  }
  return fit(`${truncated}…`, width);
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
  return texts.reduce((max, text) => Math.max(max, stringWidth(text)), 0);
}
