import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { ORIGIN, SECRET, useMail } from "./mail-worker.ts";
import { runNode } from "./run-node.ts";

/** For a whole test file: mail is on, and `body` is a file with the text of a message, in a folder of its own. */
export function useMessageCommand() {
  const mail = useMail();
  const folder = join(tmpdir(), `farwatch-message-${randomUUID()}`);
  const body = join(folder, "news.md");
  beforeAll(() => {
    mkdirSync(folder);
    writeFileSync(body, "# News\n\nHi **{{firstName}}**, read [this](https://example.com/news).\n");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs `npx waitlist message` with the servers' mail settings. */
  const message = (...args: string[]) =>
    runNode("cli/waitlist.ts", { DATABASE_URL: mail.url, SECRET, PUBLIC_ORIGIN: ORIGIN, SMTP_URL: mail.smtp.url }, [
      "message",
      ...args,
    ]);
  const json = async (...args: string[]) => JSON.parse((await message(...args, "--json")).stdout);
  const create = async (...args: string[]): Promise<string> =>
    (await json("new", "--subject", "News for {{firstName}}", "--body", body, ...args)).id;
  return { mail, folder, body, message, json, create };
}

export const everyKind = [
  { email: "ada@example.com", company: "Acme" },
  { email: "bob@example.com" },
  { email: "unsubscribed@example.com", newsletter: false },
  { email: "unconfirmed@example.com", confirmed: false },
  { email: "rejected@example.com", rejected: true },
];
