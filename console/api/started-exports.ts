import { Readable } from "node:stream";
import type { Operator } from "#console/http/guard.ts";
import { randomToken } from "#console/http/session.ts";
import type { Database } from "#core/database/connect.ts";
import { type ExportRequest, exportFile } from "#core/transfer/export-file.ts";

/** The page downloads the file as soon as it gets the id. */
const MAX_WAIT_MS = 30_000;

/** Each active export holds one of the console's ten database connections. */
const MAX_ACTIVE = 3;

/** The write timeout per chunk of 1,000 people. */
const MAX_UNREAD_MS = 60_000;

/** Exports that wait for their download, and those that run. Each session has access only to its own. */
export function createExports(db: Database) {
  const waiting = new Map<string, { owner: Operator; name: string; request: ExportRequest; startedAt: number }>();
  let running = 0;
  const forgetLate = () => {
    for (const [id, { startedAt }] of waiting) if (Date.now() - startedAt > MAX_WAIT_MS) waiting.delete(id);
  };
  return {
    /** Returns the id by which the file can be downloaded, once. Undefined while too many exports run. */
    add(owner: Operator, name: string, request: ExportRequest): string | undefined {
      forgetLate();
      if (waiting.size + running >= MAX_ACTIVE) return undefined;
      const id = randomToken();
      waiting.set(id, { owner, name, request, startedAt: Date.now() });
      return id;
    },

    /** Checks before each chunk that the operator is still allowed to export. */
    open(operator: Operator, id: string, isAllowed: () => Promise<boolean>) {
      forgetLate();
      const found = waiting.get(id);
      if (found?.owner.sessionId !== operator.sessionId) return undefined;
      waiting.delete(id);
      const chunks = exportFile(db, found.owner.actor, found.request);
      async function* checked() {
        for await (const chunk of chunks) {
          if (!(await isAllowed())) throw new Error("The operator may no longer export");
          const timeout = setTimeout(() => file.destroy(new Error("Nobody reads this export")), MAX_UNREAD_MS);
          try {
            yield chunk;
          } finally {
            clearTimeout(timeout);
          }
        }
      }
      const file = Readable.from(checked(), { objectMode: false });
      running += 1;
      file.once("close", () => {
        running -= 1;
      });
      return { name: found.name, file };
    },
  };
}
