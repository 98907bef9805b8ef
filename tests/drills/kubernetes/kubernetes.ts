import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { RANGE, ROUTER } from "#tests/drills/debian/network.ts";
import { audit } from "#tests/drills/harness/audit.ts";
import { startClients } from "#tests/drills/harness/clients.ts";
import type { Context, Drill, Outcome } from "#tests/drills/harness/drill.ts";
import { startMailSink } from "#tests/drills/harness/mail-sink.ts";
import { checkReadsDuring } from "#tests/drills/harness/reads.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { startCluster } from "./cluster.ts";
import { buildImages, IMAGE } from "./images.ts";

/**
 * Needs root and Debian's debootstrap, docker.io, iproute2, iptables, openssl and postgresql-client. The first folder
 * of the PATH must have containerd, etcd-server, kubectl and containernetworking-plugins from sid, and kube-apiserver,
 * kube-controller-manager, kube-scheduler, kube-proxy and kubelet from Kubernetes 1.36, because Debian lacks these.
 *
 * Clients connect to the Service. Network policies and the Ingress are only validated, because nothing enforces them.
 */
export const kubernetes: Drill = {
  breaks: "deploy/kubernetes on two nodes: a rolling update, then each node is drained, under load",
  shows: "servers wait for the migration, no request fails, and mail worker and nightly job do their work",
  run: (context) => run(context, "whole"),
  controls: [
    { without: "draining", finds: /^a sign-up failed/, run: (context) => run(context, "without-draining") },
    { without: "a disruption budget", finds: /^a sign-up failed/, run: (context) => run(context, "without-budget") },
  ],
};

const LOGS = "results/kubernetes";
let images: Promise<string> | undefined;
const READY_AT = '--output=jsonpath={.items[*].status.conditions[?(@.type=="Ready")].lastTransitionTime}';
const FINISHED_AT = "--output=jsonpath={.items[*].status.containerStatuses[*].state.terminated.finishedAt}";
/** Delays new servers, because otherwise one could be ready while an old one still drains. */
const SLOW_START = JSON.stringify({
  spec: { template: { spec: { containers: [{ name: "farwatch", startupProbe: { initialDelaySeconds: 10 } }] } } },
});

async function run(context: Context, overlay: string): Promise<Outcome> {
  const { keep, check } = context;
  mkdirSync(LOGS, { recursive: true });
  const secrets = mkdtempSync(join(tmpdir(), "farwatch-secrets-"));
  await keep({ stop: () => rmSync(secrets, { recursive: true }) });
  images ??= buildImages();
  const kubectl = await startCluster(keep, await images, LOGS);
  const own = (...args: string[]) => kubectl("--namespace=farwatch", ...args);
  const postgres = await startPostgres(context, secrets);
  const smtp = await keep(startMailSink(ROUTER));
  writeFileSync(join(secrets, "smtp_url"), smtp.url);

  await kubectl("create", "namespace", "farwatch");
  await own("create", "secret", "generic", "farwatch", `--from-file=${secrets}`);
  await kubectl("apply", "--validate=strict", "--kustomize", join(import.meta.dirname, "overlays", overlay));
  const untilRolledOut = async () => {
    for (const name of ["server", "worker", "console", "operate"])
      await own("rollout", "status", "--timeout=180s", `deployment/${name}`);
  };
  await untilRolledOut();
  const migratedAt = await own("get", "pods", "--selector=job-name=migrate", FINISHED_AT);
  const readyAt = (await own("get", "pods", "--selector=app.kubernetes.io/component=server", READY_AT)).split(" ");
  check(
    // Allows a second, because the job ends after its last commit.
    readyAt.every((at) => Date.parse(at) + 1000 >= Date.parse(migratedAt)),
    `servers were ready at ${readyAt}, the schema at ${migratedAt}`,
  );
  const refusal = await own("run", "root", `--image=${IMAGE}`).catch(String);
  check(/violates PodSecurity "restricted/.test(refusal), "a pod that isn't confined is admitted");

  const origin = `http://${await own("get", "service/server", "--output=jsonpath={.spec.clusterIP}")}`;
  const clients = await keep(startClients([origin], { count: 16, perSecond: 50 }));
  const { ledger } = clients;
  const seconds: Record<string, number> = {};
  const time = async (name: string, ...command: string[]) => {
    const startedAt = performance.now();
    await own(...command);
    await untilRolledOut();
    seconds[name] = Math.round((performance.now() - startedAt) / 1000);
  };
  await checkReadsDuring(origin, context, async () => {
    await ledger.untilAcknowledged(100);
    await time("rolling update", "patch", "deployment/server", `--patch=${SLOW_START}`);
    // Draining node-1 puts both servers on node-2.
    for (const node of ["node-1", "node-2"]) {
      await time(`drain of ${node}`, "drain", node, "--timeout=120s");
      await kubectl("uncordon", node);
    }
    await ledger.untilAcknowledged(100);
  });
  await clients.stop();
  check(!ledger.others(201), `a sign-up failed: ${ledger.others(201)}`);
  const mails = smtp.count().ids.size;
  check(mails > 0, "no mail arrived");
  await own("create", "job", "--from=cronjob/nightly", "tonight");
  await own("wait", "--for=condition=complete", "--timeout=60s", "job/tonight");
  await own("exec", "deployment/operate", "--", "waitlist", "verify");
  await pause(500);
  const figures = { failed: ledger.entries.length - ledger.count(201), mails, seconds };
  return { ...(await audit(postgres.url, ledger.acknowledged)), figures };
}

/** A PostgreSQL open to the nodes, with a role per kind of pod and the roles' URLs in files (see docs/platforms.md). */
async function startPostgres({ keep }: Context, secrets: string) {
  const hba = join(secrets, "pg_hba.conf");
  writeFileSync(hba, `host all all ${RANGE} scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256\n`);
  chmodSync(secrets, 0o755);
  const postgres = await keep(startScratchPostgres({ settings: ["listen_addresses=*", `hba_file=${hba}`] }));
  const { port, password } = new URL(postgres.url);
  for (const name of ["migrate", "serve", "work", "operate", "console"]) {
    const role = name === "migrate" ? "farwatch" : `farwatch_${name}`;
    writeFileSync(join(secrets, `${name}_url`), `postgres://${role}:${name}@${ROUTER}:${port}/postgres`);
  }
  for (const name of ["secret", "erasure_key", "oidc_client_secret"])
    writeFileSync(join(secrets, name), `an example ${name} of 32 characters`);
  for (const name of ["dkim_key", "invite_keys"]) writeFileSync(join(secrets, name), "");
  const owner = { PGHOST: "127.0.0.1", PGPORT: port, PGPASSWORD: password, POSTGRES_USER: "postgres" };
  const env = { ...process.env, ...owner, POSTGRES_DB: "postgres", SECRETS: secrets };
  execFileSync("sh", ["deploy/postgres/create-roles.sh"], { env });
  return postgres;
}
