const GMAIL = new Set(["gmail.com", "googlemail.com"]);

/**
 * Addresses with the same key probably share a mailbox: without the plus-tag and, at Gmail, without dots. It limits the
 * mail that one mailbox gets, and never decides who is on the list, because some providers tell these addresses apart.
 */
export function mailboxKey(emailKey: string): string {
  const at = emailKey.lastIndexOf("@");
  const [local, domain] = [emailKey.slice(0, at).toLowerCase(), emailKey.slice(at + 1).toLowerCase()];
  const untagged = local.replace(/(?<=.)\+.*$/, "");
  return GMAIL.has(domain) ? `${untagged.replaceAll(".", "")}@gmail.com` : `${untagged}@${domain}`;
}

/** The key if it differs from the address; null for nearly everyone, which keeps its index small. */
export function otherMailbox(emailKey: string): string | null {
  // Every sign-up comes through here, and few are tagged or at Gmail.
  if (!emailKey.includes("+") && !emailKey.endsWith("mail.com")) return null;
  const key = mailboxKey(emailKey);
  return key === emailKey ? null : key;
}
