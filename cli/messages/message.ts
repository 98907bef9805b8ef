import type { Command } from "#cli/terminal/command.ts";
import { addMessageDrafts } from "./message-draft.ts";
import { addMessagePreviews } from "./message-preview.ts";
import { addMessageSending } from "./message-send.ts";
import { addMessageStatus } from "./message-status.ts";

export function addMessage(program: Command): void {
  const message = program
    .subcommand("message", "Write to people on the list: draft, test, send, and follow")
    .notes(`
Only people who confirmed their address get anything, and announcements go
only to newsletter subscribers. Every email has an unsubscribe link.`)
    .examples('new --subject "Hello" --body news.md', "test 12 me@example.com", "send 12", "status 12");
  addMessageDrafts(message);
  addMessagePreviews(message);
  addMessageSending(message);
  addMessageStatus(message);
}
