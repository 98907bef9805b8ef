import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "#tests/drills/harness/until.ts";

export type Docker = Awaited<ReturnType<typeof startDocker>>;

/**
 * Starts a separate Docker daemon in a temporary folder. Its networks add bridges to the host, so remove them before
 * the daemon stops. Nothing else changes the host's network.
 */
export async function startDocker() {
  const folder = await mkdtemp(join(tmpdir(), "farwatch-docker-"));
  const host = `unix://${folder}/docker.sock`;
  const folders = ["data-root", "exec-root", "pidfile"].map((name) => `--${name}=${join(folder, name)}`);
  const isolation = ["--bridge=none", "--iptables=false", "--ip-forward=false", "--oom-score-adjust=0"];
  // A separate mount namespace, so that mounts disappear with the daemon.
  const daemon = spawn("unshare", ["--mount", "dockerd", `--host=${host}`, ...folders, ...isolation], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stderr: string[] = [];
  daemon.stderr.setEncoding("utf8").on("data", (text: string) => stderr.push(text));
  const exited = once(daemon, "exit");

  /** Runs a docker command and returns its stdout; throws with its stderr. */
  async function docker(...args: string[]): Promise<string> {
    const env = { ...process.env, DOCKER_HOST: host };
    const { stdout } = await promisify(execFile)("docker", args, { env, maxBuffer: 64 * 1024 * 1024 });
    return stdout.trim();
  }
  const hasStarted = () => docker("version").catch(() => daemon.exitCode !== null);
  await until("Docker starts", hasStarted);
  if (daemon.exitCode !== null) throw new Error(`Docker did not start:\n${stderr.join("").slice(-2000)}`);
  return Object.assign(docker, {
    host,
    async stop() {
      daemon.kill();
      await exited;
      await rm(folder, { recursive: true });
    },
  });
}
