import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

export interface Network {
  /** The network namespace of everyone outside the machines: router, visitors and operator. */
  namespace: string;
  /** Adds a machine, and returns its network namespace. */
  connect(name: string, address: string): string;
  /** Unplugs its cable, or plugs it in. */
  setCable(name: string, state: "up" | "down"): void;
  remove(): void;
}

export const NETWORK = { prefix: "10.0.0", router: "10.0.0.254", visitors: 100 };

const FORWARD = "/proc/sys/net/ipv4/ip_forward";
/** Between the router and this machine; the machine drill has another, so that both can run. */
const UPLINK = { here: "10.203.8.1", there: "10.203.8.2", range: "10.203.8.0/30" };

/**
 * A private network with the guide's addresses, in a namespace of its own: a bridge, a virtual Ethernet pair for every
 * machine, and a router to the Internet for package registries.
 */
export function createNetwork(): Network {
  const lan = `farwatch-${process.pid}`;
  const uplink = `fw${process.pid}`;
  const forwarding = readFileSync(FORWARD, "utf8");
  const masquerade = ["POSTROUTING", "-t", "nat", "-s", UPLINK.range, "-j", "MASQUERADE"];
  const namespaces = [lan];

  ip(`netns add ${lan}`);
  ip(`link add ${uplink} type veth peer name uplink netns ${lan}`);
  ip(`address add ${UPLINK.here}/30 dev ${uplink}`);
  ip(`link set ${uplink} up`);
  ip(`-n ${lan} address add ${UPLINK.there}/30 dev uplink`);
  ip(`-n ${lan} link add lan type bridge`);
  ip(`-n ${lan} address add ${NETWORK.router}/24 dev lan`);
  // Each visitor has an address, because the servers limit requests per address.
  for (let visitor = 0; visitor < NETWORK.visitors; visitor += 1)
    ip(`-n ${lan} address add ${visitorAddress(visitor)}/24 dev lan`);
  for (const device of ["lo", "uplink", "lan"]) ip(`-n ${lan} link set ${device} up`);
  ip(`-n ${lan} route add default via ${UPLINK.here}`);
  run("ip", "netns", "exec", lan, "iptables", "-t", "nat", "-A", "POSTROUTING", "-o", "uplink", "-j", "MASQUERADE");
  run("ip", "netns", "exec", lan, "sysctl", "--quiet", "net.ipv4.ip_forward=1");
  run("iptables", "-A", ...masquerade);
  writeFileSync(FORWARD, "1");

  return {
    namespace: lan,
    connect(name, address) {
      const namespace = `${lan}-${name}`;
      ip(`netns add ${namespace}`);
      namespaces.push(namespace);
      ip(`-n ${lan} link add ${name} type veth peer name eth0 netns ${namespace}`);
      ip(`-n ${lan} link set ${name} master lan up`);
      ip(`-n ${namespace} address add ${address}/24 dev eth0`);
      for (const device of ["lo", "eth0"]) ip(`-n ${namespace} link set ${device} up`);
      ip(`-n ${namespace} route add default via ${NETWORK.router}`);
      return namespace;
    },
    setCable(name, state) {
      ip(`-n ${lan} link set ${name} ${state}`);
    },
    remove() {
      for (const namespace of namespaces) ip(`netns delete ${namespace}`);
      run("iptables", "-D", ...masquerade);
      writeFileSync(FORWARD, forwarding);
    },
  };
}

export function visitorAddress(visitor: number): string {
  return `${NETWORK.prefix}.${NETWORK.visitors + visitor}`;
}

function ip(command: string): void {
  run("ip", ...command.split(" "));
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
}
