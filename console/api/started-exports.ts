import { Readable } from "node:stream";
import type { ExportState, ExportStatus } from "#console/contract.ts";
import type { Actor } from "#core/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { type ExportRequest, exportFile } from "#core/waitlist/export-file.ts";

/** Older ones are forgotten. */
const MAX_KEPT = 20;

interface StartedExport extends ExportStatus {
  request: ExportRequest;
  file?: Readable;
}

/** The exports of this session, newest first: how far each is, and a way to cancel it. */
export function createExports(db: Database, actor: Actor) {
  const all: StartedExport[] = [];
  const find = (id: string) => all.find((one) => one.id === id);
  return {
    list: (): ExportStatus[] => all.map(({ request: _, file: __, ...status }) => status),

    add(status: Omit<ExportStatus, "people" | "state" | "startedAt">, request: ExportRequest): ExportStatus {
      const added = { ...status, request, people: 0, state: "waiting" as const, startedAt: new Date().toISOString() };
      all.unshift(added);
      all.length = Math.min(all.length, MAX_KEPT);
      return added;
    },

    /** The file's bytes, the first time only. */
    open(id: string): { name: string; file: Readable } | undefined {
      const found = find(id);
      if (found?.state !== "waiting") return undefined;
      const file = Readable.from(
        exportFile(db, actor, found.request, (people) => {
          found.people += people;
        }),
        { objectMode: false },
      );
      found.state = "running";
      found.file = file;
      file.once("close", () => {
        found.state = endOf(file);
        delete found.file;
      });
      return { name: found.name, file };
    },

    cancel(id: string): boolean {
      const found = find(id);
      if (found?.state === "waiting") found.state = "canceled";
      // With an error, so that the browser gets a failed download instead of a file that seems complete.
      found?.file?.destroy(new Error(CANCELED));
      return found !== undefined;
    },
  };
}

const CANCELED = "Canceled";

function endOf({ readableEnded, errored }: Readable): ExportState {
  if (readableEnded) return "done";
  // Without an error, the browser has closed the connection.
  return !errored || errored.message === CANCELED ? "canceled" : "failed";
}
