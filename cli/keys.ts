import { readConfig } from "#core/config.ts";
import type { Keys } from "#core/keys.ts";
import { UsageError } from "./command.ts";

/** Hashes made with keys other than the servers' would never match an erased address. */
export function readKeys(): Keys {
  const { keys } = readConfig();
  if (!keys) throw new UsageError("Set SECRET, and ERASURE_KEY if the servers have one, to the servers' values.");
  return keys;
}

/** What makes the link to a person's page. Links signed with keys other than the servers' would open nothing. */
export function readLinkSettings(): { keys: Keys; origin: string } {
  const { keys, PUBLIC_ORIGIN } = readConfig();
  if (keys && PUBLIC_ORIGIN) return { keys, origin: PUBLIC_ORIGIN };
  throw new UsageError(
    "Links need SECRET and PUBLIC_ORIGIN, and LINK_KEYS if the servers have it: set them to the servers' values.",
  );
}
