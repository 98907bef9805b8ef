import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "#tests/drills/harness/until.ts";
import { exchange } from "#tests/support/exchange.ts";
import { freePort } from "#tools/dev/free-port.ts";

const EXIM_ID = 65_000;

/**
 * Debian's Exim, which relays all mail to a port of this machine. At the first failure, it gives up and emails a report
 * to the sender. Unpacked, not installed, because installing it would remove other mail servers. Needs root.
 */
export async function startExim(relayPort: string) {
  const folder = await mkdtemp(join(tmpdir(), "farwatch-exim-"));
  const port = await freePort();
  const unpack =
    "apt-get download -q exim4-daemon-light libidn12 && for deb in *.deb; do dpkg -x $deb .; done && chmod u-s usr/sbin/exim4";
  execFileSync("sh", ["-c", unpack], { cwd: folder, stdio: "ignore" });
  await writeFile(
    join(folder, "exim.conf"),
    `exim_path = ${folder}/usr/sbin/exim4
spool_directory = ${folder}/spool
log_file_path = ${folder}/%slog
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${port}
primary_hostname = relay.example.com
tls_advertise_hosts =
keep_environment = LD_LIBRARY_PATH
deliver_drop_privilege
acl_smtp_rcpt = accept
begin routers
relay:
  driver = manualroute
  route_list = * 127.0.0.1::${relayPort}
  self = send
  transport = smtp
begin transports
smtp:
  driver = smtp
`,
  );
  // Exim requires this user, whose name is compiled in.
  await writeFile(join(folder, "passwd"), `Debian-exim:x:${EXIM_ID}:${EXIM_ID}::/:\n${await readFile("/etc/passwd")}`);
  await writeFile(join(folder, "group"), `Debian-exim:x:${EXIM_ID}:\n${await readFile("/etc/group")}`);
  await chmod(folder, 0o755);
  await chown(folder, EXIM_ID, EXIM_ID);
  const start = `mount --bind passwd /etc/passwd && mount --bind group /etc/group && exec usr/sbin/exim4 -bdf -C ${folder}/exim.conf`;
  const exim = spawn("unshare", ["--mount", "sh", "-c", start], {
    cwd: folder,
    // Lets Exim find the unpacked libidn12, which bare machines lack.
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, "usr/lib", `${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = once(exim, "exit");
  const url = `smtp://127.0.0.1:${port}`;
  await until(
    "Exim greets",
    async () => (await exchange(url.replace("smtp", "http"), "QUIT\r\n").catch(() => "")) !== "",
  );
  return {
    url,
    async stop() {
      exim.kill();
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}
