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
  /** What it says to the next recipients: 4xx or 5xx and perhaps why, or undefined to take them. */
  refuseWith: string | undefined;
  /** Whether it says so when it hears the recipient, or only when it has read the mail. */
  refuseAt: "RCPT TO" | "DATA";
  /** How long it thinks about a mail that it has been given. */
  thinkMs: number;
}

/** An SMTP server that keeps what it is given, on a loopback port; a free one unless it is named. */
export async function startScratchSmtp(at = 0): Promise<ScratchSmtp> {
  const mails: Email[] = [];
  const raw: Buffer[] = [];
  const refusal = () => {
    if (!smtp.refuseWith) return null;
    const [code, ...why] = smtp.refuseWith.split(" ");
    return Object.assign(new Error(why.join(" ") || "Not now, or not at all"), { responseCode: Number(code) });
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: (_address, _session, done) => done(smtp.refuseAt === "RCPT TO" ? refusal() : null),
    onData(stream, _session, done) {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", async () => {
        if (smtp.refuseAt === "DATA" && smtp.refuseWith) return done(refusal());
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
    refuseAt: "RCPT TO",
    thinkMs: 0,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return smtp;
}
