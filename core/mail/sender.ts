import type { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import addressparser from "nodemailer/lib/addressparser";
import type { SMTPError } from "nodemailer/lib/smtp-connection/index.js";
import type { Address } from "#contract/sign-up.ts";
import type { MailConfig } from "#core/config/config.ts";
import { isLoopback } from "#core/config/setting-rules.ts";
import { recipientOf } from "#core/people/address.ts";
import { failureOf, statusOf } from "./failures.ts";

export interface Mail {
  to: Address;
  messageId: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

/**
 * "bounced" is a permanent failure because of the address. "refused" is permanent for another reason, most likely our
 * fault. Transient failures throw and are retried: the server is down, busy or refuses our login; the mailbox is full.
 */
export type SendOutcome = "sent" | "bounced" | "refused";

/** A transient failure, or a refusal. */
export class MailServerFailure extends Error {
  /** The connection broke after the mail's first byte, so the server may have accepted it. */
  isUnknown = false;
  codes = "";
}

/** All headers we send. nodemailer's default list lacks List-Unsubscribe-Post, which RFC 8058 wants signed. */
const SIGNED_HEADERS =
  "From:Reply-To:To:Subject:Date:Message-ID:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post:Feedback-ID";

export type SenderOptions = Pick<MailConfig, "smtpUrl" | "from" | "dkim">;

/** Sending credentials requires STARTTLS, except to a server on this machine. */
export function requiresTls(url: string): boolean {
  const { username, hostname } = new URL(url);
  return username !== "" && !isLoopback(hostname);
}

/** From connecting to the last response: a server that trickles its responses never triggers the socket's timeout. */
export const MAX_SEND_MS = 45_000;

/** A transport with one connection, which one mail at a time may use. */
function openTransport({ smtpUrl, from, dkim }: SenderOptions) {
  const transport = createTransport(
    {
      url: smtpUrl,
      requireTLS: requiresTls(smtpUrl),
      pool: true,
      maxConnections: 1,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 30_000,
      ...(dkim && { dkim: { ...dkim, headerFieldNames: SIGNED_HEADERS } }),
    },
    { from: addressparser(from, { flatten: true })[0] },
  );
  let stream: Readable | undefined;
  transport.use("stream", ({ message }, done) => {
    stream = undefined;
    const create = message.createReadStream.bind(message);
    message.createReadStream = () => {
      stream = create();
      return stream;
    };
    done();
  });
  // Whether the last mail's first byte was sent: nodemailer reads the stream only after the server's response to DATA.
  return { transport, hasSentData: () => stream?.readableDidRead === true };
}

export function openSender(options: SenderOptions, onRefusal = (_reason: Error) => {}, timeoutMs = MAX_SEND_MS) {
  const idle: ReturnType<typeof openTransport>[] = [];
  return {
    async send(mail: Mail): Promise<SendOutcome> {
      const connection = idle.pop() ?? openTransport(options);
      let isLate = false;
      const deadline = setTimeout(() => {
        isLate = true;
        connection.transport.close({ force: true });
      }, timeoutMs);
      try {
        await connection.transport.sendMail({ ...mail, to: recipientOf(mail.to) });
        return "sent";
      } catch (reason) {
        const failure = permanentFailure(reason);
        if (failure === "bounced") return failure;
        // Codes only and no stack, because errors are logged, and the server's message may name the recipient.
        const { code, originalCode = isLate ? "timeout" : code, responseCode, response = "" } = reason as SMTPError;
        const codes = [originalCode, responseCode, statusOf(response)].filter(Boolean).join(" ");
        const error = new MailServerFailure(
          `The mail server ${new URL(options.smtpUrl).hostname} ${failure ?? "failed"}: ${codes}`,
        );
        Object.assign(error, { codes, stack: "", isUnknown: !responseCode && connection.hasSentData() });
        if (!failure) throw error;
        onRefusal(error);
        return failure;
      } finally {
        clearTimeout(deadline);
        if (!isLate) idle.push(connection);
      }
    },
    close: () => idle.forEach(({ transport }) => void transport.close()),
  };
}

/** These words blame the sender if there is no enhanced status. A misconfigured relay sends them for every address. */
const OUR_FAULT = /relay|polic|prohibit|permitted|denied|block|spam|sender|auth|\b(spf|dkim|dmarc)\b/i;

/** Undefined for a failure that is retried. */
export function permanentFailure(reason: unknown): "bounced" | "refused" | undefined {
  const { responseCode = 0, command = "", response = "" } = reason as SMTPError;
  if (responseCode < 500 || (command !== "RCPT TO" && command !== "DATA")) return undefined;
  const isAddressFault = command === "RCPT TO" && [550, 551, 553].includes(responseCode) && !OUR_FAULT.test(response);
  // A full mailbox is retried, because the person can empty it. RFC 5321 has senders treat a bare 552 as 452.
  const failure = failureOf(response) ?? (responseCode === 552 ? "soft bounce" : isAddressFault ? "bounce" : "refused");
  return failure === "soft bounce" ? undefined : failure === "bounce" ? "bounced" : "refused";
}
