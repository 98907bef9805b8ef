import { Client, type ClientConfig } from "pg";
import { UnknownOutcome } from "./faults.ts";

/**
 * The routine that PostgreSQL names when it warns that a commit stopped waiting for a standby. The warnings' codes
 * (01000 and 57P01) aren't unique, and their text depends on lc_messages.
 */
const STANDBY_WAIT = "SyncRepWaitForLSN";

type Callback = (reason: Error | null, result?: unknown) => void;
type Query = (config: unknown, values?: unknown, callback?: Callback) => Promise<unknown>;

/**
 * A client whose statement fails if its commit stopped waiting for a synchronous standby. PostgreSQL reports such a
 * commit as a success with a warning, although a failover would lose it.
 */
export class DurableClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    // Errors are ignored, because the statement fails with them too. Without a listener, a connection that breaks
    // while checked out of its pool, as in a failover, would crash the process.
    this.on("error", () => {});
    let isUnknown = false;
    this.on("notice", ({ routine }) => {
      if (routine === STANDBY_WAIT) isUnknown = true;
    });
    /** A notice arrives before its statement ends, so it belongs to the current statement. */
    const takeUnknown = () => {
      const taken = isUnknown;
      isUnknown = false;
      return taken ? new UnknownOutcome() : null;
    };

    const query = this.query.bind(this) as unknown as Query;
    const checked: Query = (config, values, callback) => {
      if (callback) {
        return query(config, values, (reason, result) => {
          const unknown = takeUnknown();
          callback(reason ?? unknown, result);
        });
      }
      return query(config, values).finally(() => {
        const unknown = takeUnknown();
        if (unknown) throw unknown;
      });
    };
    this.query = checked as unknown as Client["query"];
  }
}
