import { brand } from "#brand/brand.ts";
import { type MailLinks, note, pasteLink } from "./mail-page.ts";

const TITLE = `Your ${brand.name} waitlist link`;

/** For someone who has confirmed their address. */
export const MEMBER_LINK = {
  subject: TITLE,
  body: `# ${TITLE}

Here's the link you asked for. Your page shows your place in line. You can update your details there, choose whether you get product news, download your data or leave the list.

[**Open my page**]({{pageUrl}})
`,
};

const KEEP = "The link works for 30 days. Anyone who has it can use your page, so don't forward this email.";
const NOT_YOU = "Didn't ask for it? Ignore this email. Nothing has changed.";

export function memberLinkFooter({ page }: MailLinks) {
  return { text: `${KEEP}\n\n${NOT_YOU}`, html: [KEEP, NOT_YOU, pasteLink(page)].map(note) };
}
