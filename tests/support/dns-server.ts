import { spawn } from "node:child_process";
import { once } from "node:events";
import { freePort } from "#tools/dev/free-port.ts";

/** TXT records by host: each record is one or more strings. Other hosts don't exist. */
export type Zone = Record<string, string[][]>;

/** Serves these records from dnsmasq. */
export async function startDnsServer(zone: Zone) {
  const port = await freePort();
  const lines = Object.entries(zone).flatMap(([host, records]) =>
    records.map((strings) => `txt-record=${[host, ...strings.map((text) => JSON.stringify(text))].join(",")}`),
  );
  const options = ["--no-daemon", "--no-resolv", "--no-hosts", "--local=/#/", "--bind-interfaces"];
  const server = spawn("dnsmasq", ["--conf-file=-", ...options, "--listen-address=127.0.0.1", `--port=${port}`]);
  const exited = once(server, "exit");
  server.stdin.end(lines.join("\n"));
  await once(server.stderr, "data");
  return {
    address: `127.0.0.1:${port}`,
    async stop() {
      server.kill();
      await exited;
    },
  };
}
