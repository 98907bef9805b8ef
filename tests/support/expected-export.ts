import { text } from "node:stream/consumers";
import type { Database } from "#core/database/connect.ts";
import type { Filter } from "#core/people/filter.ts";
import { exportFile } from "#core/transfer/export-file.ts";
import { OPERATOR } from "./an-operator.ts";

/** The export as the command line writes it. */
export function expectedExport(db: Database, filter: Filter, format: "csv" | "jsonl", hasBom = false): Promise<string> {
  return text(exportFile(db, OPERATOR, { filter, format, hasBom }));
}
