import { connect } from "node:net";

/** Sends raw bytes on a new connection and returns everything received until it closes, as text. */
export function exchange(origin: string, wire: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname).setEncoding("latin1");
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
    socket.write(wire, "latin1");
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
