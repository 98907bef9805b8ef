import * as z from "zod/mini";
import { type ImportBody, type Imported, type ImportPreview, MAX_IMPORT_MB } from "#console/contract/people.ts";
import { text } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { toPreview } from "#console/json/imports.ts";
import { sendProblem } from "#core/http/problem.ts";
import { readMail } from "#core/mail/switch.ts";
import { importPeople, previewImport, readImports } from "#core/transfer/import.ts";
import { NO_KEY } from "./person.ts";

const importSchema = z.strictObject({
  file: z.string(),
  source: text,
  // PostgreSQL can't store U+0000.
  wording: z.optional(z.string().check(z.minLength(1), z.maxLength(10_000), z.regex(/^[^\0]*$/))),
});

/** The titles and 50,000 rows: 278,000 short rows took 492 MB. */
const MAX_LINES = 50_001;

export const importRoutes: ConsoleRoutes = async (app, { db, reads = db, keys }) => {
  /** The page sends the file again to import it, so that nobody's data waits here for a decision. */
  const read = async ({ file, source }: ImportBody) => {
    if (!keys) return NO_KEY;
    if (file.trim().split(/[\r\n]+/).length > MAX_LINES) return "This file has more than 50,000 rows. Split it.";
    const found = await previewImport(db, keys, file, source);
    return "unreadable" in found ? `Can't read this file: ${found.unreadable}.` : found;
  };
  // Double, for JSON's escapes and for Latin-1 letters, which take two bytes in UTF-8.
  const withFile = { ...needs("write", { body: importSchema }), bodyLimit: 2 * MAX_IMPORT_MB * 1_000_000 };

  app.post("/api/imports/preview", withFile, async ({ body }, reply): Promise<ImportPreview> => {
    const found = await read(body);
    return typeof found === "string" ? sendProblem(reply, 422, found) : toPreview(found);
  });

  app.post("/api/imports", withFile, async ({ body, operator }, reply): Promise<Imported> => {
    const found = await read(body);
    if (typeof found === "string") return sendProblem(reply, 422, found);
    const mail = await readMail(db);
    const imported = await importPeople(db, operator.actor, found.rows, { wording: body.wording, mail });
    return { imported, isMailed: mail !== undefined };
  });

  app.get("/api/imports", needs("read", {}, "count"), () => readImports(reads));
};
