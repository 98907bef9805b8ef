import { readConfig } from "#core/config.ts";
import { WrongUsage } from "./command.ts";

/** Without it, or with another one, nobody who was erased would be found again. */
export function readSecret(): string {
  const { SECRET } = readConfig();
  if (!SECRET) throw new WrongUsage("SECRET must be set: the servers' own, and the same for ever");
  return SECRET;
}
