import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "#tools/dev/free-port.ts";
import type { MailServer } from "./scratch-smtp.ts";

/** The uid of Debian's unprivileged user `daemon`, which delivers the mail. */
const DAEMON_UID = 1;

/** OpenSMTPD, delivering all mail to one maildir. It must be started by root because it separates privileges. */
export async function startOpenSmtpd(): Promise<MailServer> {
  if (userInfo().uid !== 0) throw new Error("OpenSMTPD must be started by root");
  const folder = await mkdtemp(join(tmpdir(), "farwatch-smtpd-"));
  await chown(folder, DAEMON_UID, DAEMON_UID);
  const port = await freePort();
  const settings = join(folder, "smtpd.conf");
  await writeFile(
    settings,
    `listen on 127.0.0.1 port ${port}
action "keep" maildir "${folder}/maildir" user daemon virtual { "@" = daemon }
match from any for any action "keep"
`,
  );
  await chmod(settings, 0o644);
  const smtpd = spawn("smtpd", ["-d", "-f", settings], { stdio: "ignore" });
  const exited = once(smtpd, "exit");
  while (smtpd.exitCode === null && !(await isListening(port))) await pause(50);
  if (smtpd.exitCode !== null) throw new Error("OpenSMTPD did not start");
  return {
    url: `smtp://127.0.0.1:${port}`,
    async inbox() {
      const arrived = join(folder, "maildir/new");
      const names = await readdir(arrived).catch(() => []);
      return Promise.all(names.map((name) => readFile(join(arrived, name))));
    },
    async stop() {
      smtpd.kill();
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isConnected = await Promise.race([
    once(socket, "connect").then(() => true),
    once(socket, "error").then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return isConnected;
}
