import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { brand } from "#brand/brand.ts";
import { connect } from "#core/database/connect.ts";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { loadPage } from "#tests/drills/faults/page-loads.ts";
import { runUnderLoad, type Service, untilAcknowledged } from "#tests/drills/faults/service.ts";
import { type PrimaryWithStandby, startWithStandby } from "#tests/drills/faults/standby-drill.ts";
import { fill } from "#tests/support/fill.ts";
import { startMailProcess } from "#tests/support/mail-process.ts";
import { startMailSink } from "#tests/support/mail-sink.ts";
import { releaseWithBrand } from "#tests/support/release.ts";
import { runNode } from "#tests/support/run-node.ts";
import { startConsoleUser } from "./console-user.ts";
import { type Memory, memoryGrowth, sampleMemory } from "./memory.ts";

const PER_SECOND = 100;
const PEOPLE = 20_000;
/** When things happen, as parts of the run. */
const AT = { invitations: 0.1, newVersion: 0.35, failover: 0.65 };
/** A standby in the same data center. */
const REPLICATION_DELAY_MS = 1;
/** After the first sign-up, the other server's circuit breaker may need another probe or two. */
const SETTLE_MS = 2000;

/**
 * Runs for this many minutes. A failure is a response other than 201 to a sign-up (or 409 to one that is sent again
 * without a key), other than 200 to a request for the page, an asset or a screen of the console, or none at all.
 * Sign-ups and screens may fail during the failover, from the kill of the primary until two seconds after a sign-up is
 * acknowledged with the new standby in place; the page may not.
 */
export async function runRehearsal(minutes: number) {
  const durationMs = minutes * 60_000;
  const other = releaseWithBrand({ [brand.tagline]: "Other words, and so other hashes." });
  const assets = mkdtempSync(join(tmpdir(), "farwatch-kept-"));
  const smtp = await startMailSink();
  const mailEnv = {
    SECRET: "an example secret of 32 characters",
    SMTP_URL: smtp.url,
    PUBLIC_ORIGIN: "https://farwatch.example",
    MAIL_PER_MINUTE: "60000",
    INVITE_URL: "https://app.farwatch.example/join",
    INVITE_KEYS: generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
  const failures: string[] = [];
  const memory: Memory = new Map();
  let screens = new Map<string, number[]>();

  async function scenario(service: Service<PrimaryWithStandby>): Promise<void> {
    const { origin, postgres, clients, servers } = service;
    const env = { DATABASE_URL: postgres.url, ...mailEnv };
    let worker = await startMailProcess(env);
    const user = await startConsoleUser(env);
    const startedAt = performance.now();
    const part = () => (performance.now() - startedAt) / durationMs;
    const until = async (at: number) => pause(Math.max(0, (at - part()) * durationMs));
    const failover = { from: Number.POSITIVE_INFINITY, to: Number.POSITIVE_INFINITY };

    async function act(): Promise<void> {
      await until(AT.invitations);
      const invite = ["invite", "--next", String(PEOPLE / 2), "--send", "--per-hour", perHour(), "--yes"];
      const { code, stderr } = await runNode("cli/waitlist.ts", env, invite);
      if (code !== 0) failures.push(`invite exited with ${code}: ${stderr}`);
      await until(AT.newVersion);
      for (const index of servers.keys()) {
        await service.replace(index, other.folder);
        // The second in which HAProxy's health check sees it.
        await pause(1000);
      }
      await worker.stop();
      worker = await startMailProcess(env, other.folder);
      await until(AT.failover);
      failover.from = performance.now();
      await postgres.failOver();
      await untilAcknowledged(clients);
      await pause(SETTLE_MS);
      failover.to = performance.now();
      await until(1);
    }
    /** So that the last invitation is sent near the end. */
    const perHour = () => String(Math.ceil((PEOPLE / 2 / (durationMs * (1 - AT.invitations))) * 3_600_000));

    async function watchUntil(end: Promise<unknown>): Promise<void> {
      let isOver = false;
      const over = end.finally(() => {
        isOver = true;
      });
      over.catch(() => {}); // Thrown below, once the last sample is taken.
      for (; !isOver; await pause(1000)) {
        const [blue, green] = servers;
        sampleMemory(memory, part(), { blue: blue?.pid, green: green?.pid, worker: worker.pid, console: user.pid });
        failures.push(...(await loadPage(origin)).failures);
      }
      await over;
    }

    try {
      await watchUntil(act());
      screens = user.latenciesMs;
      const isOutside = (at: number) => at < failover.from || at > failover.to;
      for (const [what, times] of [
        ["a sign-up", clients.ledger.failedAt],
        ["a screen of the console", user.failedAt],
      ] as const) {
        const outside = times.filter(isOutside).map((at) => `${what}, ${Math.round((at - startedAt) / 1000)} s in`);
        failures.push(...outside);
      }
    } finally {
      await user.stop();
      await worker.stop();
    }
  }

  try {
    const audited = await runUnderLoad(
      {
        postgres: () => startWithStandby("synchronous", REPLICATION_DELAY_MS),
        isBalanced: true,
        prepare: fillList,
        env: { ...mailEnv, MAIL_WORKER: "apart", KEPT_ASSETS: assets, LIMIT_PER_ADDRESS: "1000000000" },
        clients: { perSecond: PER_SECOND, retries: "until acknowledged" },
      },
      scenario,
    );
    const copies = [...smtp.arrivals.values()].reduce((sum, count) => sum + count - 1, 0);
    const mails = { recipients: smtp.arrivals.size, copies };
    return { ...audited, failures, memory: memoryGrowth(memory), screens, mails };
  } finally {
    await smtp.stop();
    rmSync(assets, { recursive: true });
    other.remove();
  }
}

/** People who have confirmed their address, half of whom are going to be invited. */
async function fillList(url: string): Promise<void> {
  await migrateDatabase(url);
  const db = connect(url);
  try {
    await recordConsentWording(db);
    await fill(db, PEOPLE);
    await db.pool.query("update sign_ups set confirmed_at = now()");
  } finally {
    await db.destroy();
  }
}
