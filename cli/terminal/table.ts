import { styleText } from "node:util";
import stringWidth from "string-width";
import { escapeInvisible } from "./escape-invisible.ts";

/** Never cuts rows off, because a pipe has no width, and a terminal can wrap lines. */
export function formatTable(cells: Record<string, string>[]): string {
  const rows = cells.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, text]) => [name, escapeInvisible(text)])),
  );
  const columns = Object.keys(rows[0] ?? {}).map((name) => ({
    name,
    width: widest([name, ...rows.map((row) => row[name] ?? "")]),
  }));
  const line = (cell: (name: string) => string) =>
    columns
      .map(({ name, width }) => pad(cell(name), width))
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
      return styleText("dim", pad(name, indent)) + lines.join(`\n${" ".repeat(indent)}`);
    })
    .join("\n");
}

function pad(text: string, width: number): string {
  return text + " ".repeat(width - stringWidth(text));
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
