import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { StartupError } from "#core/config/startup-error.ts";

export async function freePort(): Promise<number> {
  return tryPort(0, "127.0.0.1");
}

/** PORT, by default 3000, or else the next free port. */
export async function pagePort(): Promise<number> {
  const port = Number(process.env.PORT || 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new StartupError(`PORT must be from 0 to 65535, got "${process.env.PORT}".`);
  return nextFreePort(port);
}

/** The first port from this one up that is free on both addresses of "localhost". For 0, any free port. */
export async function nextFreePort(from: number): Promise<number> {
  for (let port = from; ; port += 1) {
    try {
      const free = await tryPort(port, "127.0.0.1");
      await tryPort(free, "::1").catch(ignoreMissingIpv6);
      return free;
    } catch (reason) {
      if ((reason as NodeJS.ErrnoException).code !== "EADDRINUSE") throw reason;
    }
  }
}

async function tryPort(port: number, host: string): Promise<number> {
  await using probe = createServer().listen(port, host);
  await once(probe, "listening");
  return (probe.address() as AddressInfo).port;
}

function ignoreMissingIpv6(reason: NodeJS.ErrnoException): void {
  if (!["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes(reason.code ?? "")) throw reason;
}
