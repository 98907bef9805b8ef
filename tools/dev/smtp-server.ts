import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

interface SmtpOptions extends SMTPServerOptions {
  port?: number;
  /** Receives each email's source. The server accepts the email if this resolves, and rejects it if this throws. */
  onMail: (mail: Buffer) => Promise<void>;
}

export async function startSmtpServer({ port = 0, onMail, ...options }: SmtpOptions) {
  const server = new SMTPServer({
    ...options,
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _session, done) =>
      buffer(stream)
        .then(onMail)
        .then(() => done(), done),
  });
  server.on("error", () => {});
  const listening = server.listen(port, "127.0.0.1");
  await once(listening, "listening");
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}
