type Cell = string | boolean | Date | null;

export function csvRow(cells: Cell[]): string {
  return `${cells.map(formatCell).join()}\n`;
}

function formatCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "string") return `"${escapeFormulas(cell).replaceAll('"', '""')}"`;
  // "2026-11-30 18:00:00", which spreadsheets recognize as a time.
  return cell instanceof Date ? cell.toISOString().slice(0, 19).replace("T", " ") : String(cell);
}

/**
 * Prevents CSV injection: puts an apostrophe before each formula, so that a name can't run in a spreadsheet. Programs
 * that split at semicolons or tabs, as Excel does in much of Europe, find formulas after those too, and some skip
 * spaces and invisible characters.
 */
function escapeFormulas(text: string): string {
  return text.replace(/(^[\s\p{DI}]*|[;\t]["\s\p{DI}]*)(?=[=+\-@＝＋－＠])/gu, "$1'");
}
