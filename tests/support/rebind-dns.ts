/**
 * Points a name at one address after the other, posts a webhook to the name each time, and prints the outcome and the
 * number of connections so far. Needs a network namespace with all of the addresses and a free port 53.
 */
import { spawn } from "node:child_process";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { post } from "#core/webhooks/post.ts";

const [file = "", ...addresses] = process.argv.slice(2);
const NAME = "crm.example";
let connections = 0;
const server = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
await once(server.listen(443, "::"), "listening");
const dns = spawn("dnsmasq", ["--no-daemon", "--no-resolv", "--no-hosts", `--addn-hosts=${file}`]);
// Before its first log line, a SIGHUP would end dnsmasq.
await once(dns.stderr, "data");
for (const address of addresses) {
  writeFileSync(file, `${address} ${NAME}\n`);
  const resolved = async () => (await lookup(NAME).catch(() => undefined))?.address;
  while ((await resolved()) !== address) {
    dns.kill("SIGHUP");
    await pause(20);
  }
  console.log(address, await post([NAME], `https://${NAME}/`, "{}", {}), connections);
}
dns.kill();
server.close();
