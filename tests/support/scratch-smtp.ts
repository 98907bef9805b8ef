import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/** Where mails can be sent, and what has arrived of them, as it arrived. */
export interface MailServer {
  url: string;
  inbox(): Promise<Buffer[]>;
  stop(): Promise<void>;
}

export interface ScratchSmtp extends MailServer {
  /** All mails it has taken, in the order in which they came. */
  mails: Email[];
  /** What it says to the next recipients: a code of 4xx or 5xx, or undefined to take them. */
  refuseWith: number | undefined;
  /** How long it thinks about a mail that it has been given. */
  thinkMs: number;
}

/** An SMTP server that keeps what it is given, on a loopback port; a free one unless it is named. */
export async function startScratchSmtp(at = 0): Promise<ScratchSmtp> {
  const mails: Email[] = [];
  const raw: Buffer[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo(_address, _session, done) {
      const code = smtp.refuseWith;
      done(code ? Object.assign(new Error("Not now, or not at all"), { responseCode: code }) : null);
    },
    onData(stream, _session, done) {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", async () => {
        const mail = Buffer.concat(pieces);
        raw.push(mail);
        mails.push(await PostalMime.parse(mail));
        setTimeout(done, smtp.thinkMs);
      });
    },
  });
  server.on("error", () => {});
  const listening = server.listen(at, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const smtp: ScratchSmtp = {
    url: `smtp://127.0.0.1:${port}`,
    inbox: async () => raw,
    mails,
    refuseWith: undefined,
    thinkMs: 0,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return smtp;
}
