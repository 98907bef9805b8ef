import { Readable } from "node:stream";
import type { StartedExport } from "#console/contract/people.ts";
import type { Operator } from "#console/http/guard.ts";
import { randomToken } from "#console/http/session.ts";
import type { Database } from "#core/database/connect.ts";
import { type ExportRequest, exportFile } from "#core/transfer/export-file.ts";

/** Beyond this, a session's oldest ended exports are dropped. */
const MAX_KEPT = 20;

/** The page downloads the file as soon as it gets the id. */
const MAX_WAIT_MS = 30_000;

/** Each active export holds one of the console's ten database connections. */
const MAX_ACTIVE = 3;

/** The write timeout per chunk of 1,000 people. */
const MAX_UNREAD_MS = 60_000;

/** Exports, newest first, with their progress and a way to cancel them. Each session has access only to its own. */
export function createExports(db: Database) {
  const all: { owner: Operator; status: StartedExport; request: ExportRequest; file?: Readable }[] = [];
  const own = ({ sessionId }: Operator) => all.filter(({ owner }) => owner.sessionId === sessionId);
  const isLate = ({ startedAt }: StartedExport) => Date.now() - startedAt.getTime() > MAX_WAIT_MS;
  const isActive = ({ status }: { status: StartedExport }) =>
    status.state === "running" || (status.state === "waiting" && !isLate(status));
  const find = (operator: Operator, id: string) => own(operator).find(({ status }) => status.id === id);
  return {
    list: (operator: Operator) => own(operator).map(({ status }) => status),

    /** Returns the id by which the file can be downloaded, once. Undefined while too many exports run. */
    add(owner: Operator, name: string, request: ExportRequest): string | undefined {
      if (all.filter(isActive).length >= MAX_ACTIVE) return undefined;
      const id = randomToken();
      const status: StartedExport = { id, name, startedAt: new Date(), state: "waiting", people: 0, total: 0 };
      all.unshift({ owner, status, request });
      const ended = own(owner).filter((each) => !isActive(each));
      for (const old of ended.slice(MAX_KEPT)) all.splice(all.indexOf(old), 1);
      return id;
    },

    /** Checks before each chunk that the operator is still allowed to export. */
    open(operator: Operator, id: string, isAllowed: () => Promise<boolean>) {
      const found = find(operator, id);
      if (found?.status.state !== "waiting" || isLate(found.status)) return undefined;
      const { owner, status, request } = found;
      const chunks = exportFile(db, owner.actor, request, (people, total) => {
        status.people += people;
        status.total = total;
      });
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
      status.state = "running";
      found.file = file;
      file.once("close", () => {
        status.state = endOf(file);
        delete found.file;
      });
      return { name: status.name, file };
    },

    cancel(operator: Operator, id: string): boolean {
      const found = find(operator, id);
      if (found?.status.state === "waiting") found.status.state = "canceled";
      // Destroys the stream with an error, so that the browser reports a failed download and not a complete file.
      found?.file?.destroy(new Error(CANCELED));
      return found !== undefined;
    },
  };
}

const CANCELED = "Canceled";

function endOf({ readableEnded, errored }: Readable): StartedExport["state"] {
  if (readableEnded) return "done";
  // No error means that the browser closed the connection.
  return !errored || errored.message === CANCELED ? "canceled" : "failed";
}
