import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface SmtpOptions {
  host?: string;
  port?: number;
  /** Returns null to accept the recipient, or an error whose responseCode is the SMTP status. */
  refuseRecipient?: (address: string) => Error | null;
  /** Receives each raw mail. The mail is acknowledged when this resolves, and rejected when it throws. */
  onMail: (mail: Buffer) => Promise<void>;
}

export async function startSmtpServer(options: SmtpOptions) {
  const { host = "127.0.0.1", port = 0, refuseRecipient = () => null, onMail } = options;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _session, done) => done(refuseRecipient(address)),
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => onMail(Buffer.concat(chunks)).then(() => done(), done));
    },
  });
  server.on("error", () => {});
  const listening = server.listen(port, host);
  await once(listening, "listening");
  return {
    url: `smtp://${host}:${(listening.address() as AddressInfo).port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
