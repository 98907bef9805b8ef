import { readConfig } from "#core/config.ts";
import type { Keys } from "#core/keys.ts";
import { UsageError } from "./command.ts";

/** Hashes made with keys other than the servers' would never match an erased address. */
export function readKeys(): Keys {
  const { keys } = readConfig();
  if (!keys) throw new UsageError("Set SECRET, and ERASURE_KEY if the servers have one, to the servers' values.");
  return keys;
}
