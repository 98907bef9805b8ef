import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { freePort } from "#tools/dev/free-port.ts";

export interface Zone {
  /** TXT records by host: each record is one or more strings. Other hosts don't exist. */
  texts: Record<string, string[][]>;
  /** Who may issue certificates, by host. */
  issuers?: Record<string, string[]>;
  /** Names whose responses have the AD flag, including the root ("") if the server validates DNSSEC. */
  authentic?: string[];
}

/** Serves these records from dnsmasq. It can't sign, so a relay in front of it sets the AD flag. */
export async function startDnsServer({ texts, issuers = {}, authentic = [] }: Zone) {
  const port = await freePort();
  const lines = [
    ...Object.entries(texts).flatMap(([host, records]) =>
      records.map((strings) => `txt-record=${[host, ...strings.map((text) => JSON.stringify(text))].join(",")}`),
    ),
    ...Object.entries(issuers).flatMap(([host, names]) => names.map((name) => `caa-record=${host},0,issue,${name}`)),
  ];
  const options = ["--no-daemon", "--no-resolv", "--no-hosts", "--local=/#/", "--bind-interfaces"];
  const dns = spawn("dnsmasq", ["--conf-file=-", ...options, "--listen-address=127.0.0.1", `--port=${port}`]);
  const exited = once(dns, "exit");
  dns.stdin.end(lines.join("\n"));
  await once(dns.stderr, "data");

  const relay = createSocket("udp4");
  relay.on("message", async (query, client) => {
    const upstream = createSocket("udp4");
    upstream.send(query, port, "127.0.0.1");
    const [response] = await once(upstream, "message");
    upstream.close();
    if (authentic.includes(nameIn(query))) response[3] |= 0x20;
    relay.send(response, client.port, client.address);
  });
  relay.bind(0, "127.0.0.1");
  await once(relay, "listening");
  return {
    address: `127.0.0.1:${relay.address().port}`,
    async stop() {
      relay.close();
      dns.kill();
      await exited;
    },
  };
}

/** The name that a query asks for. The name's labels, each preceded by its length, follow a twelve-byte header. */
function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; query[at]; at += 1 + (query[at] ?? 0))
    labels.push(query.toString("ascii", at + 1, at + 1 + (query[at] ?? 0)));
  return labels.join(".");
}
