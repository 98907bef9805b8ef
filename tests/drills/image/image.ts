import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { audit } from "#tests/drills/harness/audit.ts";
import { startClients } from "#tests/drills/harness/clients.ts";
import type { Context, Drill, Outcome } from "#tests/drills/harness/drill.ts";
import { executeOn } from "#tests/drills/harness/execute.ts";
import { startMailSink } from "#tests/drills/harness/mail-sink.ts";
import { until } from "#tests/drills/harness/until.ts";
import { startNginx, withoutLimits } from "#tests/support/nginx.ts";
import { freePort } from "#tools/dev/free-port.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { makeBase } from "./base.ts";
import { startDocker } from "./docker.ts";

/** Needs root and Debian's docker.io and debootstrap. No base image is pulled. */
export const image: Drill = {
  breaks: "the container image, in the sandbox of compose.yaml: a server is stopped under load",
  shows: "server, command line, console and mail worker run and stop as they should",
  run: (context) => runImage(context, "stop"),
  controls: [{ without: "graceful shutdown", finds: /^a sign-up failed/, run: (context) => runImage(context, "kill") }],
};

const SANDBOX = ["--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--network=host"];

async function runImage({ keep, check }: Context, end: "stop" | "kill"): Promise<Outcome> {
  const secrets = mkdtempSync(join(tmpdir(), "farwatch-secrets-"));
  await keep({ stop: () => rmSync(secrets, { recursive: true }) });
  chmodSync(secrets, 0o755);
  const postgres = await keep(startScratchPostgres());
  writeFileSync(join(secrets, "database_url"), postgres.url);
  const docker = await keep(startDocker());
  await docker("build", "--network=host", `--build-arg=BASE=${await makeBase(docker)}`, "--tag=farwatch", ".");

  /** Runs the image with these settings, and its default command unless one is given. */
  const run = (options: string[], settings: Record<string, string | number> = {}, command: string[] = []) => {
    const env = Object.entries({ DATABASE_URL_FILE: "/run/secrets/database_url", ...settings });
    const environment = env.map(([name, value]) => `--env=${name}=${value}`);
    const volume = `--volume=${secrets}:/run/secrets:ro`;
    return docker("run", ...SANDBOX, volume, ...environment, ...options, "farwatch", ...command);
  };
  const start = (name: string, ...options: string[]) => ["--detach", `--name=${name}`, ...options];
  async function stop(name: string): Promise<void> {
    await docker("stop", name);
    const code = await docker("inspect", "--format={{.State.ExitCode}}", name);
    check(code === "0", `${name} exited with ${code}`);
  }
  async function startServer(name: string) {
    const [port, privatePort] = [await freePort(), await freePort()];
    const settings = { PORT: port, PRIVATE_PORT: privatePort, DRAIN_MS: 0, LIMIT_PER_CLIENT: 1_000_000_000 };
    const assets = ["--volume=assets:/var/lib/farwatch"];
    await run(start(name, ...assets), { ...settings, KEPT_ASSETS: "/var/lib/farwatch" });
    const health = () => docker("inspect", "--format={{.State.Health.Status}}", name);
    await until(`${name} is healthy`, async () => (await health()) === "healthy");
    return `http://127.0.0.1:${port}`;
  }

  const migrated = await run(["--rm"], {}, ["waitlist", "migrate"]);
  check(/^Applied/.test(migrated), `migrate printed ${migrated}`);
  const [blue, green] = [await startServer("blue"), await startServer("green")];
  check((await docker("exec", "blue", "id", "--user")) === "1000", "it doesn't run as uid 1000");
  const touched = docker("exec", "--user=root", "blue", "touch", "/tmp/file");
  check(await fails(touched, /Read-only file system/), "root can write to its file system");
  const health = JSON.parse(await docker("inspect", "--format={{json .Config.Healthcheck.Test}}", "farwatch"));
  const unhealthy = docker("exec", `--env=PRIVATE_PORT=${await freePort()}`, "blue", ...health.slice(1));
  check(await fails(unhealthy, /ECONNREFUSED/), "the health check doesn't look at the private port");

  const nginx = await keep(startNginx([blue, green], withoutLimits));
  const clients = await keep(startClients([nginx.origin]));
  await clients.ledger.untilAcknowledged(100);
  if (end === "stop") await stop("blue");
  else await docker("kill", "blue");
  await clients.ledger.untilAcknowledged(100);
  await clients.stop();
  check(!clients.ledger.others(201), `a sign-up failed: ${clients.ledger.others(201)}`);

  await run(start("console", "--no-healthcheck"), {}, ["waitlist", "console", "--port", "0"]);
  const link = await until("the console's link", async () => /http:\S+/.exec(await docker("logs", "console"))?.[0]);
  const page = await fetch(link, { headers: { "sec-fetch-site": "same-origin" } });
  check((await page.text()).includes('<script type="module"'), "the console shows no page");
  await stop("console");

  const smtp = await keep(startMailSink());
  const mail = { SECRET: "an example secret of 32 characters", PUBLIC_ORIGIN: "https://farwatch.example" };
  await executeOn(postgres.url, "update sign_ups set mail_network = 0 where id = (select min(id) from sign_ups)");
  await run(start("worker", "--no-healthcheck"), { ...mail, SMTP_URL: smtp.url }, ["node", "worker/main.ts"]);
  await until("a mail", () => smtp.count().ids.size > 0);
  await stop("worker");
  const bytes = Number(await docker("image", "inspect", "--format={{.Size}}", "farwatch"));
  return { ...(await audit(postgres.url, clients.ledger.acknowledged)), figures: { bytes } };
}

/** Whether the promise rejects with this message. */
function fails(running: Promise<unknown>, message: RegExp): Promise<boolean> {
  return running.then(
    () => false,
    (reason) => message.test(String(reason)),
  );
}
