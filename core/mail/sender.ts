import { createTransport } from "nodemailer";
import type { confirmationMail } from "./confirmation.ts";

export interface SenderOptions {
  /** smtp:// or smtps://, with user and password where there are any. */
  url: string;
  from: string;
  dkim?: { domainName: string; keySelector: string; privateKey: string } | undefined;
}

/**
 * What became of a mail: rejected for its address, or refused for good for another reason, most likely one of ours. A
 * server that is away, busy or doesn't let us in is an error instead, and worth another try.
 */
type Sent = "sent" | "rejected" | "refused";

export interface Sender {
  send(mail: ReturnType<typeof confirmationMail>): Promise<Sent>;
  close(): void;
}

export function openSender({ url, from, dkim }: SenderOptions): Sender {
  const transport = createTransport(
    {
      url,
      pool: true,
      maxConnections: 5,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      ...(dkim && { dkim }),
    },
    { from },
  );
  return {
    async send(mail) {
      try {
        await transport.sendMail(mail);
        return "sent";
      } catch (reason) {
        const verdict = finalVerdict(reason);
        if (verdict) return verdict;
        // By its codes only: the server's own words may name the recipient, and errors are logged.
        const { code, responseCode } = reason as { code?: string; responseCode?: number };
        throw new Error(`The mail server failed: ${[code, responseCode].filter(Boolean).join(" ")}`);
      }
    },
    close: () => transport.close(),
  };
}

/** By RFC 3463's codes: 5.1 is about the address, but for the sender's, and 5.2 about its mailbox. */
const ABOUT_THE_ADDRESS = /^\d{3}[ -]5\.(1\.[^78]|2\.)/;
const WITH_CODE = /^\d{3}[ -]5\.\d/;

function finalVerdict(reason: unknown): "rejected" | "refused" | undefined {
  const {
    responseCode = 0,
    command = "",
    response = "",
  } = reason as Record<"command" | "response", string> & {
    responseCode?: number;
  };
  if (responseCode < 500 || (command !== "RCPT TO" && command !== "DATA")) return undefined;
  const isAboutTheAddress = WITH_CODE.test(response)
    ? ABOUT_THE_ADDRESS.test(response)
    : command === "RCPT TO" && [550, 551, 553].includes(responseCode);
  return isAboutTheAddress ? "rejected" : "refused";
}
