/** Imports of people, as the console's page and its API exchange them. */
import type { toPreview } from "#console/json/imports.ts";
import type { readImports } from "#core/transfer/import.ts";
import type { Json } from "./json.ts";

/** About 30,000 people. Larger files are for the command line, because a request of this size stays in memory. */
export const MAX_IMPORT_MB = 2;

export interface ImportBody {
  file: string;
  /** Where people gave their address. Identifies the import. */
  source: string;
  /** The words by which they agreed to product news. */
  wording?: string | undefined;
}

export type ImportPreview = ReturnType<typeof toPreview>;

export interface Imported {
  imported: number;
  /** Whether mail is on, so that they will be asked to confirm. */
  isMailed: boolean;
}

export type Import = Json<Awaited<ReturnType<typeof readImports>>>[number];

export interface Removed {
  removed: number;
}
