import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { randomToken } from "#console/http/session.ts";
import type { Database } from "#core/database/connect.ts";
import { type ExportRequest, exportFile } from "#core/transfer/export-file.ts";

/** The page downloads the file as soon as it gets the id. */
const MAX_WAIT_MS = 30_000;

/** Each active export holds one of the console's ten database connections. */
const MAX_ACTIVE = 3;

/** The write timeout per chunk of 1,000 people. */
const MAX_UNREAD_MS = 60_000;

/** A request by which an operator starts or downloads an export. */
type Exporter = Pick<FastifyRequest, "operator" | "isAllowed">;

/** Exports that wait for their download, and those that run. Each session has access only to its own. */
export function createExports(db: Database) {
  const waiting = new Map<string, { owner: Exporter; name: string; request: ExportRequest; startedAt: number }>();
  const running = new Map<Readable, Exporter>();
  const forgetLate = () => {
    for (const [id, { startedAt }] of waiting) if (Date.now() - startedAt > MAX_WAIT_MS) waiting.delete(id);
  };
  const stopEnded = async () => {
    for (const [id, { owner }] of waiting) if (!(await owner.isAllowed())) waiting.delete(id);
    for (const [file, reader] of running) if (!(await reader.isAllowed())) running.delete(file.destroy());
  };
  return {
    /** Returns the id by which the file can be downloaded, once. Undefined while too many exports run. */
    async add(owner: Exporter, name: string, request: ExportRequest): Promise<string | undefined> {
      forgetLate();
      if (waiting.size + running.size >= MAX_ACTIVE) await stopEnded();
      if (waiting.size + running.size >= MAX_ACTIVE) return undefined;
      const id = randomToken();
      waiting.set(id, { owner, name, request, startedAt: Date.now() });
      return id;
    },

    /** Checks before each chunk that the operator is still allowed to export. */
    open(reader: Exporter, id: string) {
      forgetLate();
      const found = waiting.get(id);
      if (found?.owner.operator.sessionId !== reader.operator.sessionId) return undefined;
      waiting.delete(id);
      const chunks = exportFile(db, found.owner.operator.actor, found.request);
      async function* checked() {
        for await (const chunk of chunks) {
          if (!(await reader.isAllowed())) throw new Error("The operator may no longer export");
          const timeout = setTimeout(() => file.destroy(new Error("Nobody reads this export")), MAX_UNREAD_MS);
          try {
            yield chunk;
          } finally {
            clearTimeout(timeout);
          }
        }
      }
      const file = Readable.from(checked(), { objectMode: false });
      running.set(file, reader);
      file.once("close", () => running.delete(file));
      return { name: found.name, file };
    },
  };
}
