import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createNetwork, ROUTER } from "#tests/drills/debian/network.ts";
import type { Keep } from "#tests/drills/harness/parts.ts";
import { until } from "#tests/drills/harness/until.ts";

const NODES = [1, 2];
/** A killed container's cgroup remains, and can't be removed until its last process ends. */
const REMOVE_CGROUPS = ["/sys/fs/cgroup", "-depth", "-type", "d", "-path", "*/k8s.io*", "-exec", "rmdir", "{}", "+"];

/** A control plane on this machine, and two nodes in separate namespaces, whose containers use these images. */
export async function startCluster(keep: Keep, images: string, logs: string) {
  // Not in /tmp, which may be in memory.
  const folder = mkdtempSync("/var/tmp/farwatch-kubernetes-");
  await keep({ stop: () => rmSync(folder, { recursive: true }) });
  const network = await keep(createNetwork());
  const kubeconfig = join(folder, "kubeconfig");
  const cluster = { server: `https://${ROUTER}:6443`, "insecure-skip-tls-verify": true };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      "current-context": "drill",
      contexts: [{ name: "drill", context: { cluster: "drill", user: "admin" } }],
      clusters: [{ name: "drill", cluster }],
      users: [{ name: "admin", user: { token: "drill" } }],
    }),
  );
  const env = { ...process.env, KUBECONFIG: kubeconfig };

  /** Runs the script in its own process namespace, so that everything the script starts ends with it. */
  async function start(name: string, script: string, args: string[], enter: string[] = []): Promise<void> {
    const cwd = join(folder, name);
    mkdirSync(cwd);
    const log = openSync(join(logs, `${name}.log`), "w");
    const isolated = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
    const [command = "", ...rest] = [...enter, ...isolated, "sh", "-x", resolve(import.meta.dirname, script), ...args];
    const program = spawn(command, rest, { cwd, env, stdio: ["ignore", log, log] });
    const exited = once(program, "exit");
    await keep({
      async stop() {
        program.kill("SIGKILL");
        await exited;
      },
    });
  }
  /** Returns kubectl's stdout; throws with its stderr. */
  const kubectl = async (...args: string[]) => (await promisify(execFile)("kubectl", args, { env })).stdout.trim();

  await keep({ stop: () => until("no cgroup is left", () => spawnSync("find", REMOVE_CGROUPS).status === 0) });
  await start("control-plane", "control-plane.sh", [ROUTER]);
  for (const node of NODES) {
    const namespace = network.connect(`node-${node}`, `10.203.0.${node}`);
    await start(`node-${node}`, "node.sh", [String(node), images], ["nsenter", `--net=/run/netns/${namespace}`]);
  }
  execFileSync("ip", ["route", "add", "10.205.0.0/24", "via", "10.203.0.1"]);
  const areReady = async () =>
    (await kubectl("get", "nodes", "--no-headers")).match(/ Ready /g)?.length === NODES.length;
  await until("both nodes are ready", () => areReady().catch(() => false));
  return kubectl;
}
