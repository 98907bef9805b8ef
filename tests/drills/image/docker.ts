import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

export interface Docker {
  /** What the command said; throws what it complained of. */
  (...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** A Docker of our own, in a temporary folder. Its containers use the machine's network, and it leaves that alone. */
export async function startDocker(): Promise<Docker> {
  const folder = await mkdtemp(join(tmpdir(), "farwatch-docker-"));
  const host = `unix://${folder}/docker.sock`;
  const places = ["data-root", "exec-root", "pidfile"].map((name) => `--${name}=${join(folder, name)}`);
  const alone = ["--bridge=none", "--iptables=false", "--oom-score-adjust=0"];
  // Whatever it mounts is gone with it.
  const daemon = spawn("unshare", ["--mount", "dockerd", `--host=${host}`, ...places, ...alone], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said: string[] = [];
  daemon.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));
  const exited = once(daemon, "exit");

  async function docker(...args: string[]): Promise<string> {
    const env = { ...process.env, DOCKER_HOST: host };
    const { stdout } = await promisify(execFile)("docker", args, { env, maxBuffer: 64 * 1024 * 1024 });
    return stdout.trim();
  }
  const isUp = () =>
    docker("version").then(
      () => true,
      () => false,
    );
  while (daemon.exitCode === null && !(await isUp())) await pause(100);
  if (daemon.exitCode !== null) throw new Error(`Docker did not start:\n${said.join("").slice(-2000)}`);
  return Object.assign(docker, {
    async stop() {
      daemon.kill();
      await exited;
      await rm(folder, { recursive: true });
    },
  });
}
