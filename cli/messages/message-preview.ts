import { writeFile } from "node:fs/promises";
import type { Command } from "#cli/command.ts";
import { readMessageLinks } from "#cli/settings.ts";
import { escapeInvisible } from "#cli/terminal/escape-invisible.ts";
import { openInBrowser } from "#cli/terminal/open-in-browser.ts";
import { renderPreview } from "#core/messages/preview.ts";
import { MESSAGE_ID } from "./message-options.ts";
import { withMessage } from "./with-message.ts";

export function addMessagePreview(message: Command): void {
  message
    .command("preview")
    .description("Show a message as a sample person would get it")
    .argument(...MESSAGE_ID)
    .option("--out <file>", "Write the HTML to this file (default: print the text)")
    .option("--open", "Write the HTML to message-<id>.html or --out, and open it")
    .notes(`
Its links don't work. Needs SECRET and PUBLIC_ORIGIN, and for {{inviteUrl}}
INVITE_URL and INVITE_KEYS.

Examples:
  npx waitlist message preview 12
  npx waitlist message preview 12 --open
  npx waitlist message preview 12 --out message.html`)
    .action(preview);
}

const preview = withMessage(async (_db, message, { out, open }: { out?: string; open?: boolean }) => {
  const { subject, text, html } = await renderPreview(message, readMessageLinks(message));
  const file = out ?? (open ? `message-${message.id}.html` : undefined);
  if (!file) {
    const lines = [`Subject: ${subject}`, "", ...text.split("\n")];
    return { text: lines.map(escapeInvisible).join("\n"), json: { subject, text, html } };
  }
  await writeFile(file, html);
  if (open) openInBrowser(file);
  return { text: `Wrote ${file}`, json: { subject, out: file } };
});
