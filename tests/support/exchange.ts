import { connect } from "node:net";

interface ExchangeOptions {
  /** Half-closes the connection after the bytes, so that the server doesn't wait for more. */
  isHalfClosed?: boolean;
  /** How long the connection may be idle; forever by default. */
  timeoutMs?: number;
}

/** Sends raw bytes on a new connection and returns, as text, everything received until it is closed or reset. */
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
