import type { CommandResult } from "#cli/terminal/command.ts";
import { escapeInvisible } from "#cli/terminal/escape-invisible.ts";

export function notOnList(emailKey: string, json: unknown): CommandResult {
  return { text: `${escapeInvisible(emailKey)} isn't on the list.`, json, isOk: false };
}
