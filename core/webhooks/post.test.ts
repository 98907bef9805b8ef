import dns from "node:dns";
import { once } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { allowedNetworks, post } from "./post.ts";

/** Listens on all addresses of this machine, so that a request that isn't blocked connects. */
const server = createServer((socket) => socket.destroy());
let connections = 0;
let port = 0;
beforeAll(async () => {
  server.on("connection", () => {
    connections += 1;
  });
  await once(server.listen(0, "::"), "listening");
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const resolveTo = (...addresses: string[]) => {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  // Node asks for all addresses of a name.
  const lookup = (_name: string, _options: object, done: (reason: null, addresses: object[]) => void) =>
    done(null, found);
  vi.spyOn(dns, "lookup").mockImplementation(lookup as never);
  syncBuiltinESMExports();
};
const postTo = (host: string, networks: string[] = []) =>
  post([[`${host}:${port}`, ...networks].join("=")], `https://${host}:${port}/`, "{}", {});

const INSIDE = [
  ..."127.0.0.1 127.1.2.3 0.0.0.0 0.1.2.3 10.0.0.1 172.16.0.1 192.168.0.1 100.64.0.1 169.254.169.254".split(" "),
  ..."192.0.0.1 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 ::1 :: fe80::1 fc00::1 fd00:ec2::254".split(" "),
  ..."fec0::1 ff02::1 ::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::127.0.0.1 ::169.254.169.254 64:ff9b::7f00:1".split(" "),
  ..."64:ff9b:1::a9fe:a9fe 2002:7f00:1:: 2001::1 ::ffff:0:7f00:1 100::1 2001:db8::1".split(" "),
];
test.each(INSIDE)(
  "a name that resolves to %s gets no connection, also if another address is public",
  async (address) => {
    for (const addresses of [[address], ["93.184.216.34", address]]) {
      resolveTo(...addresses);
      expect(await postTo("rebound.test")).toBe("blocked");
    }
    const literal = address.includes(":") ? `[${new URL(`https://[${address}]`).host.slice(1, -1)}]` : address;
    expect(await postTo(literal)).toBe("blocked");
    expect(connections).toBe(0);
  },
);

test("connects to a private network only if its host has it, and checks every lookup again", async () => {
  resolveTo("127.0.0.1");
  expect(await postTo("crm.internal", ["127.0.0.0/8"])).toBe("ECONNRESET");
  expect(connections).toBe(1);
  resolveTo("169.254.169.254");
  expect(await postTo("crm.internal", ["127.0.0.0/8"])).toBe("blocked");
});

test.each([
  "http://crm.example/",
  "https://crm.example:8443/",
  "https://user@crm.example/",
  "https://:password@crm.example/",
  "https://crm.example.evil.example/",
  "https://evil.example/?crm.example",
  "ftp://crm.example/",
  "crm.example",
])("%s isn't crm.example", async (url) => {
  const hosts = ["crm.example"];
  expect(allowedNetworks(hosts, "https://CRM.example:443/path")).toEqual([]);
  expect(allowedNetworks(hosts, url)).toBeUndefined();
  expect(await post(hosts, url, "{}", {})).toBe("blocked");
});
