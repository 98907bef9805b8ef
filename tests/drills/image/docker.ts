import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

export interface Docker {
  /** Runs a docker command and returns its stdout; throws with its stderr. */
  (...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** A separate Docker daemon in a temporary folder. Containers use the host's network, which it doesn't change. */
export async function startDocker(): Promise<Docker> {
  const folder = await mkdtemp(join(tmpdir(), "farwatch-docker-"));
  const host = `unix://${folder}/docker.sock`;
  const folders = ["data-root", "exec-root", "pidfile"].map((name) => `--${name}=${join(folder, name)}`);
  const isolation = ["--bridge=none", "--iptables=false", "--oom-score-adjust=0"];
  // In its own mount namespace, so that its mounts disappear with it.
  const daemon = spawn("unshare", ["--mount", "dockerd", `--host=${host}`, ...folders, ...isolation], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stderr: string[] = [];
  daemon.stderr.setEncoding("utf8").on("data", (text: string) => stderr.push(text));
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
  if (daemon.exitCode !== null) throw new Error(`Docker did not start:\n${stderr.join("").slice(-2000)}`);
  return Object.assign(docker, {
    async stop() {
      daemon.kill();
      await exited;
      await rm(folder, { recursive: true });
    },
  });
}
