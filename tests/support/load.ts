import { connect } from "node:net";
import { quantile } from "./quantile.ts";

/**
 * Closed-loop load: each keep-alive connection waits for a response before it sends its next request. Uses bare
 * sockets, because the load shares the machine with the server it measures. Waits for the response to every request,
 * because the ledger of acknowledged sign-ups must be complete.
 */
export interface Load {
  /** Loopback ports; connections are assigned round-robin. */
  ports: number[];
  connections: number;
  /** The next request, or undefined when there are no more. */
  next: () => Request | undefined;
}

export interface Request {
  /** The request as raw bytes. */
  wire: string;
  /** Set for HEAD, whose response has the Content-Length of a GET, but no body. */
  hasNoBody?: boolean;
  onResponse?: (status: number, body: string) => void;
}

export interface LoadResult {
  /** The number of responses by status. */
  statuses: Map<number, number>;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

type OnResponse = (status: number, ms: number) => void;

export async function runLoad({ ports, connections, next }: Load): Promise<LoadResult> {
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  const onResponse = (status: number, ms: number) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    latencies.push(ms);
  };
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: connections }, (_, i) => runConnections(ports[i % ports.length] as number, next, onResponse)),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    statuses,
    perSecond: latencies.length / seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}

/** Returns requests until the time is up. */
export function forSeconds(seconds: number, make: () => Request): Load["next"] {
  const end = performance.now() + seconds * 1000;
  return () => (performance.now() < end ? make() : undefined);
}

/** Sends requests one after another, and reconnects when the server closes the connection. */
async function runConnections(port: number, next: Load["next"], onResponse: OnResponse): Promise<void> {
  for (let request = next(); request; ) request = await runConnection(port, request, next, onResponse);
}

/** If the server closes the connection, resolves with the request to send on a new one. */
function runConnection(
  port: number,
  first: Request,
  next: Load["next"],
  onResponse: OnResponse,
): Promise<Request | undefined> {
  return new Promise((resolve, reject) => {
    let request: Request | undefined = first;
    let state: "open" | "closing" = "open";
    let sentAt = 0;
    let received = "";
    const socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      // Streams and events would take as much CPU as the rest of this client. Responses fit into the buffer easily.
      onread: {
        buffer: Buffer.alloc(16_384),
        callback(length, buffer) {
          received += (buffer as Buffer).toString("latin1", 0, length);
          const bodyAt = received.indexOf("\r\n\r\n") + 4;
          if (bodyAt < 4) return true;
          if (!request?.hasNoBody && received.length < bodyAt + contentLength(received)) return true;
          const status = Number(received.slice(9, 12));
          onResponse(status, performance.now() - sentAt);
          request?.onResponse?.(status, received.slice(bodyAt));
          request = next();
          if (!request || received.includes("connection: close")) state = "closing";
          received = "";
          send();
          return true;
        },
      },
    });
    function send(): void {
      sentAt = performance.now();
      if (request && state === "open") socket.write(request.wire, "latin1");
      else socket.end();
    }
    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("close", () =>
      state === "closing"
        ? resolve(request)
        : reject(new Error(`The server closed a connection after ${JSON.stringify(request?.wire.slice(0, 500))}`)),
    );
  });
}

/** Node lowercases the header's name, nginx capitalizes it. A chunked body ends with an empty chunk. */
function contentLength(response: string): number {
  const at = Math.max(response.indexOf("content-length: "), response.indexOf("Content-Length: "));
  if (at >= 0) return Number.parseInt(response.slice(at + 16, at + 24), 10);
  const isUnfinished = response.includes("Transfer-Encoding: chunked") && !response.endsWith("\r\n0\r\n\r\n");
  return isUnfinished ? Number.POSITIVE_INFINITY : 0;
}
