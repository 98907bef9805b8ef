import { Readable } from "node:stream";
import type { Actor } from "#core/activity.ts";
import type { Database } from "#core/database/connect.ts";
import { type ExportRequest, exportFile } from "#core/people/export-file.ts";

/** Older exports are dropped from the list. */
const MAX_KEPT = 20;

export interface ExportStatus {
  id: string;
  name: string;
  startedAt: Date;
  state: "waiting" | "running" | "done" | "canceled" | "failed";
  /** People written so far. */
  people: number;
  /** All matching people, counted before the first is written. */
  total: number;
}

interface StartedExport {
  status: ExportStatus;
  request: ExportRequest;
  file?: Readable;
}

/** This session's exports, newest first, with their progress and a way to cancel them. */
export function createExports(db: Database, actor: Actor) {
  const all: StartedExport[] = [];
  const find = (id: string) => all.find(({ status }) => status.id === id);
  return {
    list: () => all.map(({ status }) => status),

    /** The id is the single-use ticket for downloading the file. */
    add(id: string, name: string, request: ExportRequest): void {
      all.unshift({ status: { id, name, startedAt: new Date(), state: "waiting", people: 0, total: 0 }, request });
      all.length = Math.min(all.length, MAX_KEPT);
    },

    /** Returns the file's bytes, once. */
    open(id: string): { name: string; file: Readable } | undefined {
      const found = find(id);
      if (found?.status.state !== "waiting") return undefined;
      const { status, request } = found;
      const file = Readable.from(
        exportFile(db, actor, request, (people, total) => {
          status.people += people;
          status.total = total;
        }),
        { objectMode: false },
      );
      status.state = "running";
      found.file = file;
      file.once("close", () => {
        status.state = endOf(file);
        delete found.file;
      });
      return { name: status.name, file };
    },

    cancel(id: string): boolean {
      const found = find(id);
      if (found?.status.state === "waiting") found.status.state = "canceled";
      // Destroys the stream with an error, so that the browser reports a failed download and not a complete file.
      found?.file?.destroy(new Error(CANCELED));
      return found !== undefined;
    },
  };
}

const CANCELED = "Canceled";

function endOf({ readableEnded, errored }: Readable): ExportStatus["state"] {
  if (readableEnded) return "done";
  // No error means that the browser closed the connection.
  return !errored || errored.message === CANCELED ? "canceled" : "failed";
}
