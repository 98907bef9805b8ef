import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface SmtpOptions {
  /** A free one by default. */
  port?: number;
  /** Why the next recipient is refused, or null to accept it. The error's responseCode is the SMTP status. */
  refuseRecipient?: () => Error | null;
  /** Given each mail as it arrived. The mail is acknowledged when this resolves, and refused when it throws. */
  onMail: (mail: Buffer) => Promise<void>;
}

/** An SMTP server on a loopback port that delivers nothing: it hands over what it is given. */
export async function startSmtpServer({ port = 0, refuseRecipient = () => null, onMail }: SmtpOptions) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: (_address, _session, done) => done(refuseRecipient()),
    onData(stream, _session, done) {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", () => onMail(Buffer.concat(pieces)).then(() => done(), done));
    },
  });
  server.on("error", () => {});
  const listening = server.listen(port, "127.0.0.1");
  await once(listening, "listening");
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
