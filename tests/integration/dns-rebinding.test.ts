import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { useFolder } from "#tests/support/folder.ts";

const { aFile } = useFolder();
const PUBLIC = "93.184.216.34";
const INSIDE = "127.0.0.1 169.254.169.254 10.0.0.1 ::1 fd00:ec2::254 ::ffff:127.0.0.1 ::ffff:169.254.169.254".split(
  " ",
);
INSIDE.push("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe");

test("a name that had a public address gets no connection once it resolves to one inside our network", () => {
  const addresses = [PUBLIC, ...INSIDE].filter((address) => !/^::|^127/.test(address));
  const script = `
    ip link set lo up
    for address in ${addresses.join(" ")}; do ip address add $address dev lo; done
    mount --bind ${aFile("resolv.conf", "nameserver 127.0.0.1\n")} /etc/resolv.conf
    exec ${process.execPath} tests/support/rebind-dns.ts ${aFile("hosts", "")} ${[PUBLIC, ...INSIDE].join(" ")}`;
  const namespace = ["--map-root-user", "--net", "--mount", "sh", "-ec", script];
  const lines = execFileSync("unshare", namespace, { encoding: "utf8", timeout: 30_000 }).trim().split("\n");
  // All addresses are reachable, but only the public one gets a connection.
  expect(lines).toEqual([`${PUBLIC} ECONNRESET 1`, ...INSIDE.map((address) => `${address} blocked 1`)]);
});
