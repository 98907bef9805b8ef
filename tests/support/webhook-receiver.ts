import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";

/** A status, or a fault: no response, or a connection closed within the headers. */
type Response = number | "stall" | "truncate";

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface WebhookReceiver {
  /** The setting that allows webhooks to this receiver. */
  WEBHOOK_HOSTS: string;
  /** Its certificate, which this process trusts already. */
  caFile: string;
  received: Received[];
  /** Chooses the response to a request. */
  respond: (request: Received) => Response;
  urlOf(path: string): string;
  stop(): Promise<void>;
}

/** A real HTTPS server on loopback, with a self-signed certificate for "localhost". */
export async function startWebhookReceiver(folder: string): Promise<WebhookReceiver> {
  const [key, caFile] = [join(folder, "webhook.key"), join(folder, "webhook.pem")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const output = ["-nodes", "-keyout", key, "-out", caFile];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", ...names, ...output], { stdio: "ignore" });
  setDefaultCACertificates([...getCACertificates("default"), readFileSync(caFile, "utf8")]);
  const server = createServer({ key: readFileSync(key), cert: readFileSync(caFile) }, async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    const headers = request.headers as Record<string, string>;
    const received = { path: request.url ?? "", headers, body: Buffer.concat(chunks).toString() };
    receiver.received.push(received);
    const status = receiver.respond(received);
    if (status === "stall") return;
    if (status === "truncate") request.socket.end("HTTP/1.1 200 OK\r\ncontent-le");
    else response.writeHead(status, { location: receiver.urlOf("/elsewhere"), connection: "close" }).end("private");
  });
  await once(server.listen(0, "localhost"), "listening");
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    WEBHOOK_HOSTS: `localhost:${port}=127.0.0.0/8=::1`,
    caFile,
    received: [],
    respond: () => 200,
    urlOf: (path) => `https://localhost:${port}${path}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
