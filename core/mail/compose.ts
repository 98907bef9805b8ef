import type { MailConfig } from "#core/config.ts";
import { type Holder, memberLink, unsubscribeLink } from "#core/members/links.ts";
import { confirmationMail } from "./confirmation.ts";
import { memberLinkMail } from "./member-link.ts";
import { messageId } from "./message-id.ts";
import type { DueMail } from "./outbox.ts";
import type { Mail } from "./sender.ts";

/** The mail that is due, with the recipient's own links. */
export function composeMail(
  { keys, origin }: Pick<MailConfig, "keys" | "origin">,
  due: DueMail,
  person: Holder & { email: string },
): Mail {
  const mail = {
    to: person.email,
    page: memberLink(keys, person, origin),
    messageId: messageId(keys, due, origin),
  };
  return due.kind === "link"
    ? memberLinkMail(mail)
    : confirmationMail({ ...mail, unsubscribe: unsubscribeLink(keys, person, origin) });
}
