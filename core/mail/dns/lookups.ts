import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { isIP, isIPv6 } from "node:net";

/** The DNS lookup failed, so nothing is known about the records. */
export class DnsFailure extends Error {}

export type Dns = ReturnType<typeof openDns>;

const TIMEOUT_MS = 2000;

export function openDns(server: string | undefined) {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (server) resolver.setServers([server]);
  async function look<Records>(host: string, lookup: Promise<Records[]>): Promise<Records[]> {
    try {
      return await lookup;
    } catch (reason) {
      const { code } = reason as NodeJS.ErrnoException;
      if (code === "ENODATA" || code === "ENOTFOUND") return [];
      throw new DnsFailure(`The DNS lookup of ${host} failed: ${code}`);
    }
  }
  const [first = ""] = resolver.getServers();
  return {
    /** TXT records. DNS splits a long one into several strings, which this joins. */
    texts: async (host: string) => (await look(host, resolver.resolveTxt(host))).map((strings) => strings.join("")),
    authorities: (host: string) => look(host, resolver.resolveCaa(host)),
    /** Whether DNSSEC proves the domain's records. Undefined if the server doesn't validate even the root. */
    async isSigned(domain: string): Promise<boolean | undefined> {
      const [root, own] = await Promise.all([isAuthentic("", first), isAuthentic(domain, first)]);
      return root ? own : undefined;
    },
  };
}

/** Asks for a name's SOA and reads the flag AD (RFC 6840), which node:dns doesn't show. Undefined without a response. */
async function isAuthentic(name: string, server: string): Promise<boolean | undefined> {
  const [, host = server, port = "53"] = isIP(server) ? [] : (/^\[?(.+?)\]?:(\d+)$/.exec(server) ?? []);
  const labels = name ? name.split(".").flatMap((label) => [label.length, ...Buffer.from(label)]) : [];
  const query = [...randomBytes(2), 0x01, 0x20, 0, 1, 0, 0, 0, 0, 0, 0, ...labels, 0, 0, 6, 0, 1];
  const socket = createSocket(isIPv6(host) ? "udp6" : "udp4");
  try {
    socket.connect(Number(port), host, () => socket.send(Buffer.from(query)));
    const [response] = await once(socket, "message", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return (response[3] & 0x20) !== 0;
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}
