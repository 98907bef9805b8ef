import { escapeInvisible } from "./escape-invisible.ts";

/** Indented JSON that is safe to print; its line breaks are formatting and stay. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2).split("\n").map(escapeInvisible).join("\n");
}
