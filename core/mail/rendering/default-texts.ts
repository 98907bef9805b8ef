import type { Kind } from "#core/mail/recipients.ts";
import { DEFAULT_CONFIRMATION } from "./confirmation.ts";
import { MEMBER_LINK } from "./member-link.ts";
import { DEFAULT_REMINDER } from "./reminder.ts";

const DEFAULT_TEXTS: Partial<Record<Kind, { subject: string; body: string }>> = {
  confirmation: DEFAULT_CONFIRMATION,
  link: MEMBER_LINK,
  reminder: DEFAULT_REMINDER,
};

/** Until an operator edits it, a built-in message's text is in the code. */
export function textOf({ kind, subject, body }: { kind: Kind; subject: string; body: string }) {
  return (!body && DEFAULT_TEXTS[kind]) || { subject, body };
}
