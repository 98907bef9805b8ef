import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { PROBLEM_TYPE } from "#contract/problem.ts";
import { problem } from "./problem.ts";

const STATUSES: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Handles connections without a complete request: invalid HTTP, oversized headers, a timeout. */
export function handleClientError(security: Record<string, string>) {
  return ({ code = "" }: NodeJS.ErrnoException, socket: Socket): void => {
    if (socket.writable && code !== "ECONNRESET") {
      const status = STATUSES[code] ?? 400;
      const body = JSON.stringify(problem(status));
      const headers = {
        ...security,
        "cache-control": "no-store",
        connection: "close",
        "content-type": PROBLEM_TYPE,
        "content-length": Buffer.byteLength(body),
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
    }
    socket.destroy();
  };
}
