import { hash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { networkOf } from "./networks.ts";
import { createLimiter, inOrder, type Limiter, type LimiterParts } from "./rate-limits.ts";

/** A household or small office gets a /56, which is 256 /64s, but rarely sends more than four clients would. */
const PER_CUSTOMER = 4;
/**
 * A /24 or a /48 can be an office, a campus, or a carrier's gateway with thousands of people. Together, they all
 * send less in a minute than twenty clients may, and an attacker who rents a network can't send more.
 */
const PER_NETWORK = 20;

export interface ClientLimit {
  /** Prefix of the tier's name in metrics. */
  prefix?: string;
  /** The limit of one client: an IPv4 address or an IPv6 /64. The networks around it get a multiple. */
  max: number;
  windowMs: number;
}

/** Limits a client and the networks it is in. Requests refused for the client don't count against its networks. */
export async function limitNetworks(
  app: FastifyInstance,
  { prefix = "", max, windowMs }: ClientLimit,
  parts: LimiterParts,
): Promise<Limiter> {
  const tier = (name: string, factor: number, keyOf: (ip: string) => string) =>
    createLimiter(
      app,
      { name: prefix + name, max: max * factor, windowMs, keyOf: (request) => keyOf(request.ip) },
      parts,
    );
  const client = await tier("client", 1, (ip) => networkOf(ip, 32, 64));
  const customer = await tier("customer", PER_CUSTOMER, (ip) => networkOf(ip, 32, 56));
  const network = await tier("network", PER_NETWORK, widestNetwork);
  const [ipv4, ipv6] = [inOrder(client, network), inOrder(client, customer, network)];
  return (request) => (request.ip?.includes(":") ? ipv6 : ipv4)(request);
}

/** A 32-bit hash of an address's widest network. Keyed, because the 16 million IPv4 networks are quickly tried. */
export function networkNumber(ip: string, secret: Buffer): number {
  return hash("sha256", `${secret.toString("base64url")} mail ${widestNetwork(ip)}`, "buffer").readInt32BE();
}

function widestNetwork(ip: string): string {
  return networkOf(ip, 24, 48);
}
