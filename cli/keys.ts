import { readConfig } from "#core/config.ts";
import type { Keys } from "#core/keys.ts";
import { UsageError } from "./command.ts";

/** Without the servers' own, nobody who was erased would be found again. */
export function readKeys(): Keys {
  const { keys } = readConfig();
  if (!keys) throw new UsageError("SECRET must be set: the servers' own, and the same for ever");
  return keys;
}
