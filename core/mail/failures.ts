/**
 * What a failure says about an address:
 * - bounce: the address permanently fails, and gets no more mail;
 * - soft bounce: the failure is temporary, such as a full mailbox, and only counted;
 * - refused: permanent for another reason, such as policy (5.7): our fault, not the address's.
 */
export type Failure = "bounce" | "soft bounce" | "refused";

/** An RFC 3463 status by itself, or after a reply code: "5.1.1", "550-5.1.1 No such user", "smtp; 550 5.1.1 …". */
const STATUS = /(?:^|\b\d{3}[ -])([45]\.\d{1,3}\.\d{1,3})(?![.\d])/;
/** 5.1 blames the address (but 5.1.7 and 5.1.8 the sender's); 5.2.1 means that the mailbox is disabled. */
const BAD_ADDRESS = /^5\.(1\.[^78]|2\.1$)/;

export const statusOf = (text: string) => STATUS.exec(text)?.[1];

/** The one rule for SMTP responses and providers' events. Undefined without a status, or for 5.0, which says nothing. */
export function failureOf(text: string): Failure | undefined {
  const status = statusOf(text) ?? "5.0";
  if (status.startsWith("5.0")) return undefined;
  if (status.startsWith("4") || status === "5.2.2") return "soft bounce";
  return BAD_ADDRESS.test(status) ? "bounce" : "refused";
}
