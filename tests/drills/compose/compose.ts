import { execFile } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { addRepository } from "#tests/drills/debian/image.ts";
import { audit } from "#tests/drills/harness/audit.ts";
import { startClients } from "#tests/drills/harness/clients.ts";
import { type Context, type Drill, MAX_RECOVERY_MS, type Outcome } from "#tests/drills/harness/drill.ts";
import { send } from "#tests/drills/harness/http.ts";
import { checkReadsDuring } from "#tests/drills/harness/reads.ts";
import { until } from "#tests/drills/harness/until.ts";
import { startDocker } from "#tests/drills/image/docker.ts";
import { adapt, readGuide } from "#tests/support/guide.ts";
import { MAX_IN_FLIGHT } from "#worker/start.ts";
import { confirmByMail, openConsole } from "./first-visit.ts";
import { loadStandIns, NODE } from "./stand-ins.ts";

/** Needs root, Debian's docker.io and debootstrap, and the ports that compose.yaml publishes. No image is pulled. */
export const compose: Drill = {
  breaks: "Docker Compose, by the commands of docs/platforms.md: worker killed, PostgreSQL restarted, image upgraded",
  shows: "a clone becomes a site with mail and a console, and with the profile tls an upgrade fails no request",
  run: (context) => runCompose(context),
  controls: [
    {
      without: "an upgrade of one server after the other",
      finds: /^a sign-up failed/,
      run: (context) => runCompose(context, (commands) => commands.replace(/.*--wait server\b.*\n.*server2\b.*\n/, "")),
    },
  ],
};

/** Replaces `docker compose build`, whose containers can't reach the package registries here. */
const BUILD = ["first", "second"].map(
  (label) => `docker build --network=host --build-arg=BASE=${NODE} --label=drill=${label} --tag=${label} .`,
);
const LOAD = { count: 4, perSecond: 40, keepAlive: false };

async function runCompose(context: Context, change = (commands: string) => commands): Promise<Outcome> {
  const { keep, check, checkSpeed } = context;
  const guide = readGuide("docs/platforms.md");
  const folder = mkdtempSync(join(tmpdir(), "farwatch-compose-"));
  await keep({ stop: () => rmSync(folder, { recursive: true }) });
  const docker = await keep(startDocker());
  const env = { ...process.env, DOCKER_HOST: docker.host, DOCKER_CONFIG: await loadStandIns(docker) };
  const site = join(folder, "farwatch");
  const type = async (commands: string, cwd = site) =>
    (await promisify(execFile)("bash", ["-euxc", commands], { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout.trim();
  const figures: Record<string, unknown> = {};

  await type([...BUILD, "docker tag first farwatch"].join("\n"), process.cwd());
  const [install = "", console = ""] = guide.blocks("Docker Compose");
  const down = "docker compose --project-name farwatch down --volumes --remove-orphans --timeout 1";
  await keep({ stop: () => type(down, folder) });
  addRepository(folder);
  const startedAt = performance.now();
  await type(adapt(install, { "https://git.example/farwatch.git": join(folder, "opt/farwatch.git") }), folder);
  figures.upSeconds = Math.round((performance.now() - startedAt) / 1000);
  const origin = "http://localhost:3000";
  check((await send(origin)).text.includes("<h1"), "the page isn't at the address that init.sh prints");
  await confirmByMail(origin);
  check(await openConsole(console, { cwd: site, env }), "the console doesn't show the confirmed person");

  appendFileSync(join(site, ".env"), "COMPOSE_PROFILES=worker,mailpit,tls\nLIMIT_PER_CLIENT=1000000000\n");
  await type("docker compose up --detach --wait");
  const tls = await keep(startClients(["https://localhost"], LOAD));
  const plain = await keep(startClients([origin], LOAD));
  const ledgers = [tls.ledger, plain.ledger];
  const untilAllServe = () => Promise.all(ledgers.map((ledger) => ledger.untilAcknowledged(40)));
  const failed = () => ledgers.map(({ entries }) => entries.filter(({ status }) => status !== 201).length);
  await untilAllServe();

  if (context.size === "full") {
    const inspect = async (field: string) => docker("inspect", `--format={{.${field}}}`, "farwatch-worker-1");
    process.kill(Number(await inspect("State.Pid")), "SIGKILL");
    await until("another worker", async () => (await inspect("RestartCount")) === "1");
    await until("it is healthy", async () => (await inspect("State.Health.Status")) === "healthy");
    check(failed().join() === "0,0", "a sign-up failed while the worker was away");

    await type("docker compose restart postgres");
    const recoveries = await Promise.all(ledgers.map((ledger) => ledger.untilAcknowledged()));
    checkSpeed(Math.max(...recoveries) < MAX_RECOVERY_MS, "no sign-up within 10 s of PostgreSQL's restart");
    figures.failedByRestart = failed();
  }

  await untilAllServe();
  for (const ledger of ledgers) ledger.clear();
  const upgradedAt = performance.now();
  const [upgrade = ""] = guide.blocks("Upgrading with Compose");
  const adapted = adapt(upgrade, {
    "docker compose build": "docker tag second farwatch",
    // Replaces the alias that the guide defines.
    "waitlist verify": "docker compose run --rm --no-deps -T waitlist verify",
  });
  await checkReadsDuring("https://localhost", context, () => type(change(adapted)));
  await untilAllServe();
  check(!tls.ledger.others(201), `a sign-up failed: ${tls.ledger.others(201)}`);
  Object.assign(figures, { failedByUpgrade: failed(), gapWithoutTlsMs: plain.ledger.longestGapMs(upgradedAt) });
  for (const clients of [tls, plain]) await clients.stop();

  const ids = (await type("docker compose exec -T mailpit grep -rhi ^message-id: /tmp/mail/new")).split("\n");
  figures.mails = ids.length;
  figures.copies = ids.length - new Set(ids).size;
  check(ids.length - new Set(ids).size <= MAX_IN_FLIGHT, `${figures.copies} mails arrived twice`);
  const address = await docker(
    "inspect",
    "--format={{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}",
    "farwatch-postgres-1",
  );
  const password = readFileSync(join(site, "secrets/postgres_password"), "utf8").trim();
  const acknowledged = tls.ledger.acknowledged.union(plain.ledger.acknowledged);
  return { ...(await audit(`postgres://postgres:${password}@${address}/farwatch`, acknowledged)), figures };
}
