import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

export const RANGE = "10.203.0.0/16";
/** The host's address. The host routes traffic to the package registries. */
export const ROUTER = "10.203.127.254";
const FORWARD = "/proc/sys/net/ipv4/ip_forward";

/** A bridge, and for each machine a network namespace with a virtual Ethernet cable to the bridge. */
export function createNetwork() {
  const bridge = `farwatch${process.pid % 1_000_000}`;
  const forwarding = readFileSync(FORWARD, "utf8");
  const masquerade = ["POSTROUTING", "-t", "nat", "-s", RANGE, "!", "-d", RANGE, "-j", "MASQUERADE"];
  const namespaces = new Map<string, string>();

  ip(`link add ${bridge} type bridge`);
  ip(`address add ${ROUTER}/16 dev ${bridge}`);
  ip(`link set ${bridge} up`);
  execFileSync("iptables", ["-A", ...masquerade]);
  writeFileSync(FORWARD, "1");
  return {
    /** Adds a machine if it is new, and returns its network namespace. */
    connect(name: string, address: string): string {
      const namespace = `${bridge}-${name}`;
      if (namespaces.has(name)) return namespace;
      namespaces.set(name, namespace);
      ip(`netns add ${namespace}`);
      ip(`link add fw-${name} type veth peer name eth0 netns ${namespace}`);
      ip(`link set fw-${name} master ${bridge} up`);
      ip(`-n ${namespace} address add ${address}/16 dev eth0`);
      for (const device of ["lo", "eth0"]) ip(`-n ${namespace} link set ${device} up`);
      ip(`-n ${namespace} route add default via ${ROUTER}`);
      return namespace;
    },
    /** Unplugs or plugs in a machine's cable. */
    setCable: (name: string, state: "up" | "down") => ip(`link set fw-${name} ${state}`),
    stop() {
      for (const [name, namespace] of namespaces) {
        // Deleting the namespace would also delete the cable, but only when the namespace's last process has ended.
        ip(`link delete fw-${name}`);
        ip(`netns delete ${namespace}`);
      }
      ip(`link delete ${bridge}`);
      execFileSync("iptables", ["-D", ...masquerade]);
      writeFileSync(FORWARD, forwarding);
    },
  };
}

function ip(command: string): void {
  execFileSync("ip", command.split(" "), { stdio: ["ignore", "ignore", "inherit"] });
}
