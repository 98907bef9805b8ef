import { readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { typeAll } from "#tests/drills/debian/typing.ts";
import { audit } from "#tests/drills/harness/audit.ts";
import { startClients } from "#tests/drills/harness/clients.ts";
import type { Context, Drill, Outcome } from "#tests/drills/harness/drill.ts";
import { executeOn } from "#tests/drills/harness/execute.ts";
import { checkReadsDuring } from "#tests/drills/harness/reads.ts";
import { median } from "#tests/support/quantile.ts";
import { addressOf, type Cluster, createCluster, NAMES } from "./cluster.ts";
import { startDirectWrites } from "./direct-writes.ts";
import { DISRUPTIONS, type Disruption, freezePatroni, killLagging, MORE_THAN_IN_FLIGHT } from "./disruptions.ts";

/** Sections that need the permanent loss of two machines, or a hardware watchdog. */
const NOT_TYPED = ["Without quorum", "Watchdog"];

/** Needs root and Debian's debootstrap, iproute2, iptables, openssl and systemd-container. */
export const failOverByPatroni: Drill = {
  breaks: "three Debians with the commands of docs/high-availability.md: machines die, freeze, and are replaced",
  shows: "Patroni finds a new primary, which has every acknowledged sign-up",
  async run(context) {
    const { check, args } = context;
    const cluster = await createCluster(context.keep);
    check(countBackups(cluster) === 1, "not only the primary made a backup");
    const outcome = await disrupt(context, cluster, DISRUPTIONS, Number(args[0] ?? 3));
    const { leader, other } = await cluster.untilComplete();
    await typeAll(cluster.the(leader), cluster.guide.blocks("After a failover"));
    await cluster.the(other).type("systemctl start farwatch-nightly");
    check(countBackups(cluster) === 2, "a standby made a backup, or the new primary made none");
    const unused = cluster.guide.unused().filter((heading) => !NOT_TYPED.includes(heading));
    check(unused.length === 0, `nothing was typed of ${unused}`);
    return outcome;
  },
  controls: [
    {
      without: "synchronous replication",
      finds: "lost",
      async run(context) {
        const cluster = await createCluster(context.keep);
        const { leader } = await cluster.untilComplete();
        await cluster.the(leader).type("patronictl edit-config --force --set synchronous_mode=false");
        await pause(5000);
        cluster.successor = "Replica";
        return disrupt(context, cluster, [freezePatroni, killLagging], 1);
      },
    },
  ],
};

/** Sign-ups and direct writes to each machine continue throughout. Each round ends with a complete cluster. */
async function disrupt(
  context: Context,
  cluster: Cluster,
  disruptions: Disruption[],
  rounds: number,
): Promise<Outcome> {
  const { keep, check } = context;
  const { leader: first } = await cluster.untilComplete();
  const direct = await keep(startDirectWrites(cluster.urlOf(first), NAMES.map(cluster.urlOf)));
  const origins = NAMES.map((name) => `https://${addressOf(name)}`);
  const visitors = { count: 12, perSecond: 40, keepAlive: false, retries: true, timeoutMs: 3000 };
  const clients = await keep(startClients(origins, visitors));
  const { ledger } = clients;
  const figures: Record<string, unknown> = {};
  for (const { name, prepare, run, repair } of disruptions) {
    const gapsMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const found = { cluster, ledger, ...(await cluster.untilComplete()) };
      const scene = (await prepare?.(found)) ?? found;
      await ledger.untilAcknowledged(MORE_THAN_IN_FLIGHT);
      const since = performance.now();
      await checkReadsDuring(`https://${addressOf(scene.other)}`, context, async () => {
        await run(scene);
        await ledger.untilAcknowledged(MORE_THAN_IN_FLIGHT);
      });
      gapsMs.push(ledger.longestGapMs(since));
      await repair?.(scene);
    }
    figures[name] = { medianMs: median(gapsMs), worstMs: Math.max(...gapsMs) };
    console.log(`  ${name}: no sign-ups for ${gapsMs} ms`);
  }
  const { leader } = await cluster.untilComplete();
  await clients.stop();
  await direct.stop();
  const stored = await executeOn<{ id: string }>(cluster.urlOf(leader), "select id from probe.writes");
  const lostDirectly = direct.acknowledged.difference(new Set(stored.map(({ id }) => id))).size;
  const wrong = ledger.others(0, 201, 502, 503, 504);
  check(!wrong, `a sign-up got ${wrong}`);
  const found = await audit(cluster.urlOf(leader), ledger.acknowledged);
  return { ...found, lost: found.lost + lostDirectly, figures };
}

function countBackups({ rack }: Cluster): number {
  return readdirSync(rack.backups).filter((name) => name.startsWith("base-")).length;
}
