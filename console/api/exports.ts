import * as z from "zod/mini";
import type { Started } from "#console/contract/people.ts";
import { filterSchemas } from "#console/http/filter.ts";
import { needs } from "#console/http/guard.ts";
import type { ConsoleRoutes } from "#console/http/parts.ts";
import { sendProblem } from "#core/http/problem.ts";
import { formatDate } from "#core/text/format.ts";
import { createExports } from "./started-exports.ts";

const CSV = "text/csv; charset=utf-8";

const exportSchema = z.strictObject({
  ...filterSchemas(),
  format: z.enum(["csv", "jsonl"]),
  bom: z.optional(z.boolean()),
  link: z.optional(z.boolean()),
});
const withId = { params: z.object({ id: z.string().check(z.maxLength(64)) }) };

/**
 * The page starts an export with the session's header; the browser then downloads it from a single-use URL, because a
 * download can't send that header. A download by script would hold the whole file in memory.
 */
export const exportRoutes: ConsoleRoutes = async (app, { db, linkOf }) => {
  const exports = createExports(db);

  const withBody = needs("export", { body: exportSchema });
  app.post("/api/exports", withBody, async (request, reply): Promise<Started> => {
    const { format, bom = false, link = false, ...filter } = request.body;
    if (link && !linkOf) {
      return sendProblem(reply, 409, "Set the servers' SECRET and PUBLIC_ORIGIN to export links.");
    }
    const wanted = { filter, format, hasBom: bom, linkOf: link ? linkOf : undefined };
    const id = await exports.add(request, `waitlist-${formatDate(new Date())}.${format}`, wanted);
    return id ? { id } : sendProblem(reply, 429, "Three exports are running. Wait until one is done.");
  });

  const withFile = { schema: withId, config: { permission: "export", access: "download" } } as const;
  app.get("/api/exports/:id/file", withFile, async (request, reply) => {
    const opened = exports.open(request, request.params.id);
    if (!opened) return sendProblem(reply, 404, "This export was downloaded, or has expired.");
    return reply
      .type(opened.name.endsWith(".csv") ? CSV : "application/jsonl")
      .header("content-disposition", `attachment; filename="${opened.name}"`)
      .send(opened.file);
  });
};
