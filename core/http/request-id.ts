import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

/** A trusted proxy's request or trace id, so that one search finds a request in both logs; otherwise a random id. */
export function createRequestId(trustProxy: string[] = []) {
  const withBits = (network: string) =>
    network.includes("/") ? network : `${network}/${network.includes(":") ? 128 : 32}`;
  const proxies = trustProxy.map((network) => ipaddr.parseCIDR(withBits(network)));
  return ({ headers, socket: { remoteAddress = "::" } }: IncomingMessage): string => {
    const given = String(headers["x-request-id"] ?? headers.traceparent);
    const [, id] = /^(?:00-)?([0-9a-f]{32})(?:-|$)/.exec(given) ?? [];
    const isTrusted = id && ipaddr.subnetMatch(ipaddr.process(remoteAddress), { proxies }, "others") === "proxies";
    return isTrusted ? id : randomUUID();
  };
}
