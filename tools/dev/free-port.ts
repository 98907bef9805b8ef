import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

export async function freePort(): Promise<number> {
  return tryPort(0, "127.0.0.1");
}

/** The first free port, starting with this one, on both addresses of "localhost"; any free port for 0. */
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
