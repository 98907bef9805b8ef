import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Nginx, startNginx } from "#tests/support/nginx.ts";

const upstream = createServer((_request, response) => response.end("ok"));
let nginx: Nginx;

/** Few enough requests for a test, none of them given back with time, and a client's address from a header. */
function adapt(config: string): string {
  const bursts: Record<string, number> = { client: 1, customer: 7, network: 39 };
  return config
    .replaceAll(/rate=\d+r\/s/g, "rate=1r/m")
    .replaceAll(/zone=(\w+)_requests burst=\d+/g, (_, tier) => `zone=${tier}_requests burst=${bursts[tier]}`)
    .replace("http {", "http {\n  set_real_ip_from 127.0.0.1;\n  real_ip_header x-test-address;");
}

beforeAll(async () => {
  await once(upstream.listen(0, "127.0.0.1"), "listening");
  nginx = await startNginx(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`, adapt);
});
afterAll(async () => {
  await nginx.stop();
  upstream.close();
});

/** How many of one request from each client are served. */
async function served(clients: string[]): Promise<number> {
  let count = 0;
  for (const address of clients) {
    const { status } = await fetch(nginx.origin, { headers: { "x-test-address": address } });
    expect([200, 429]).toContain(status);
    if (status === 200) count += 1;
  }
  return count;
}
const numbered = (count: number, address: (number: string) => string) =>
  Array.from({ length: count }, (_, i) => address((i + 1).toString(16)));

test.each([
  ["an IPv4 address", () => Array(10).fill("198.51.100.7"), 2],
  [
    "an IPv6 /64, however its addresses are written",
    () => ["2001:db8:1::1", "2001:db8:1:0:1:2:3:4", "2001:db8:1:0:ffff::", "2001:db8:1:0:0:5::6", "2001:db8:1::7:0:0"],
    2,
  ],
  ["an IPv6 /56", () => numbered(30, (i) => `2001:db8:2:${i}::1`), 8],
  ["an IPv6 /48", () => numbered(140, (i) => `2001:db8:3:${i}00::1`), 40],
  ["an IPv4 /24", () => Array.from({ length: 140 }, (_, i) => `203.0.113.${i}`), 40],
])("nginx limits %s", async (_network, clients, allowance) => {
  expect(await served(clients())).toBe(allowance);
});

test("nginx limits neither other networks nor clients whose bytes look alike", async () => {
  // The bytes of the last two are line breaks, which a dot in a regular expression doesn't match, and zeros.
  const clients = ["198.51.101.7", "2001:db8:4::1", "10.10.10.10", "a0a:a0a:a0a:a0a::1", "::2", "192.0.2.0"];
  expect(await served(clients)).toBe(clients.length);
  expect(await served(Array(3).fill("a0a:a0a:a0a:a0a::2"))).toBe(1);
});
