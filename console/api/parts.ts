import type { Actor } from "#core/activity.ts";
import type { Database } from "#core/database/connect.ts";
import type { Keys } from "#core/keys.ts";
import type { LinkOf } from "#core/waitlist/export-links.ts";

/** What the routes need. */
export interface ConsoleParts {
  db: Database;
  /** Who uses the console. Every change is recorded under their name. */
  actor: Actor;
  /** Whether the routes that change something are left out. */
  isReadOnly: boolean;
  /** Whether people who are released from quarantine get a confirmation mail. */
  isMailed: boolean;
  /** Signs what an erasure leaves behind; without it nobody can be erased. */
  keys: Keys | undefined;
  /** The links that an export may contain; none without the servers' SECRET and PUBLIC_ORIGIN. */
  linkOf?: LinkOf | undefined;
}
