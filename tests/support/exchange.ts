import { connect } from "node:net";

export interface ExchangeOptions {
  /** Half-closes the connection after the bytes, so that the server doesn't wait for more. */
  isHalfClosed?: boolean;
  /** How long the connection may be idle; forever by default. */
  timeoutMs?: number;
}

/** Sends raw bytes on a new connection and returns everything received until it closes, or is reset, as text. */
export function exchange(
  origin: string,
  wire: string,
  { isHalfClosed = false, timeoutMs = 0 }: ExchangeOptions = {},
): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname).setEncoding("latin1").setTimeout(timeoutMs);
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("error", () => {});
    socket.on("timeout", () => socket.destroy());
    socket.on("close", () => resolve(received));
    if (isHalfClosed) socket.end(wire, "latin1");
    else socket.write(wire, "latin1");
  });
}

export interface HttpRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON, search parameters as a form. */
  body?: string | object;
}

/** The request as raw bytes, with `connection: close` so that the end of the response is the end of the connection. */
export function requestBytes({ method, path, headers = {}, body }: HttpRequest): string {
  const isForm = body instanceof URLSearchParams;
  const text = typeof body === "object" && !isForm ? JSON.stringify(body) : String(body ?? "");
  const bytes = Buffer.from(text, "utf8").toString("latin1");
  const lines = Object.entries({
    host: "farwatch.test",
    connection: "close",
    ...(body !== undefined && {
      "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
      "content-length": String(bytes.length),
    }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method ?? (body === undefined ? "GET" : "POST")} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${bytes}`;
}
