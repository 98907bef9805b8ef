import { createTransport } from "nodemailer";
import type { confirmationMail } from "./confirmation.ts";

export interface SenderOptions {
  /** smtp:// or smtps://, with user and password where there are any. */
  url: string;
  from: string;
  dkim?: { domainName: string; keySelector: string; privateKey: string } | undefined;
}

/** What became of a mail. A server that is away, busy or misconfigured is an error instead, and worth another try. */
type Sent = "sent" | "rejected";

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
        if (isRejection(reason)) return "rejected";
        // By its codes only: the server's own words may name the recipient, and errors are logged.
        const { code, responseCode } = reason as { code?: string; responseCode?: number };
        throw new Error(`The mail server failed: ${[code, responseCode].filter(Boolean).join(" ")}`);
      }
    },
    close: () => transport.close(),
  };
}

/** The recipient or the message was refused for good. A refused login is our own fault, and no word on the address. */
function isRejection(reason: unknown): boolean {
  const { responseCode = 0, command = "" } = reason as { responseCode?: number; command?: string };
  return responseCode >= 500 && (command === "RCPT TO" || command === "DATA");
}
