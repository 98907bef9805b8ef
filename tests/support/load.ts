import { connect } from "node:net";
import { quantile } from "./quantile.ts";

/**
 * Load over keep-alive connections, each sending its next request when its last was answered. On bare sockets, because it
 * shares the machine with what it measures, and because every request that was sent is waited for: the ledger of what was
 * acknowledged must be complete.
 */
export interface Load {
  /** Of loopback; connections are dealt out to them in turn. */
  ports: number[];
  connections: number;
  /** The next request as it goes over the wire, or undefined when there is none left. */
  next: () => Request | undefined;
}

export interface Request {
  wire: string;
  onAnswer?: (status: number, body: string) => void;
}

export interface Driven {
  /** Answers by status. */
  statuses: Map<number, number>;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

type OnAnswered = (status: number, ms: number) => void;

export async function drive({ ports, connections, next }: Load): Promise<Driven> {
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  const onAnswered = (status: number, ms: number) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    latencies.push(ms);
  };
  const began = performance.now();
  await Promise.all(
    Array.from({ length: connections }, (_, i) => converse(ports[i % ports.length] as number, next, onAnswered)),
  );
  const seconds = (performance.now() - began) / 1000;
  return {
    statuses,
    perSecond: latencies.length / seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}

/** Hands out requests until the time is over. */
export function forSeconds(seconds: number, make: () => Request): Load["next"] {
  const end = performance.now() + seconds * 1000;
  return () => (performance.now() < end ? make() : undefined);
}

/** One visitor after another, on one connection for as long as the server keeps it. */
async function converse(port: number, next: Load["next"], onAnswered: OnAnswered): Promise<void> {
  for (let request = next(); request; ) request = await onConnection(port, request, next, onAnswered);
}

/** Answers the request that is to be sent on another connection, once the server has said that it closes this one. */
function onConnection(
  port: number,
  first: Request,
  next: Load["next"],
  onAnswered: OnAnswered,
): Promise<Request | undefined> {
  return new Promise((resolve, reject) => {
    let request: Request | undefined = first;
    let state: "waiting" | "over" = "waiting";
    let sentAt = 0;
    let received = "";
    const socket = connect({
      port,
      host: "127.0.0.1",
      noDelay: true,
      // Without streams and events in between, which cost as much as the rest of this client. Answers are small: they
      // fit the buffer many times over.
      onread: {
        buffer: Buffer.alloc(16_384),
        callback(length, buffer) {
          received += (buffer as Buffer).toString("latin1", 0, length);
          const bodyAt = received.indexOf("\r\n\r\n") + 4;
          if (bodyAt < 4 || received.length < bodyAt + contentLength(received)) return true;
          const status = Number(received.slice(9, 12));
          onAnswered(status, performance.now() - sentAt);
          request?.onAnswer?.(status, received.slice(bodyAt));
          request = next();
          if (!request || received.includes("connection: close")) state = "over";
          received = "";
          send();
          return true;
        },
      },
    });
    function send(): void {
      sentAt = performance.now();
      if (request && state === "waiting") socket.write(request.wire, "latin1");
      else socket.end();
    }
    socket.on("connect", send);
    socket.on("error", reject);
    socket.on("close", () =>
      state === "over" ? resolve(request) : reject(new Error("The server closed a connection")),
    );
  });
}

/** Node writes it small, Varnish with capitals. */
function contentLength(answer: string): number {
  const at = Math.max(answer.indexOf("content-length: "), answer.indexOf("Content-Length: "));
  return at < 0 ? 0 : Number.parseInt(answer.slice(at + 16, at + 24), 10);
}
