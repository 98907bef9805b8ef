import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { readConfig } from "#core/config/config.ts";
import { connect } from "#core/database/connect.ts";
import { defaultInvitation } from "#core/invitations/invitation-text.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { buildOther } from "#tests/drills/faults/deploy.ts";
import { type Change, withChanges } from "#tests/drills/harness/change-source.ts";
import { startMailSink } from "#tests/drills/harness/mail-sink.ts";
import { checkReadsDuring } from "#tests/drills/harness/reads.ts";
import { underLoad } from "#tests/drills/harness/service.ts";
import { startWorker } from "#tests/drills/harness/worker.ts";
import { createMessage, sendDraft } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { fill } from "#tests/support/fill.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { quantile } from "#tests/support/quantile.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { Memory } from "./memory.ts";

const PEOPLE = 20_000;
/** When events happen, as fractions of the run. */
const AT = { invitations: 0.1, newVersion: 0.8 };
const MAX_GROWTH_MB = 50;

/** Runs at 100 sign-ups per second, with mail on. */
export const launch = underLoad({
  breaks: "a launch, with a wave of invitations and a new version near its end",
  shows: "nothing fails, and no process keeps growing",
  isBalanced: true,
  clients: { perSecond: 100 },
  prepare: fillList,
  times: { short: 2, full: 15 },
  async postgres(keep) {
    const other = buildOther();
    const assets = mkdtempSync(join(tmpdir(), "farwatch-kept-"));
    await keep({ stop: () => rmSync(assets, { recursive: true }) });
    const smtp = await keep(startMailSink());
    const env = {
      SECRET: "an example secret of 32 characters",
      SMTP_URL: smtp.url,
      PUBLIC_ORIGIN: "https://farwatch.example",
      MAIL_PER_MINUTE: "60000",
      MAIL_WORKER: "apart",
      KEPT_ASSETS: assets,
      INVITE_URL: "https://app.farwatch.example/join",
      INVITE_KEYS: generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    };
    return { ...(await keep(startScratchPostgres())), other, smtp, env };
  },
  async scenario(service, minutes) {
    const { args, origin, postgres, servers, ledger, keep, check, figures } = service;
    const durationMs = Number(args[0] ?? minutes) * 60_000;
    // All clients are in one network, and a launch's visitors are in thousands.
    const noBudget: Change = ["core/mail/queue/network-budgets.ts", "MAILS_PER_HOUR = 250", "MAILS_PER_HOUR = 1e9"];
    const env = withChanges({ ...postgres.env, DATABASE_URL: postgres.url }, [noBudget]);
    let worker = await keep(startWorker(env));
    const memory = new Memory();
    const startedAt = performance.now();
    const part = () => (performance.now() - startedAt) / durationMs;
    const untilPart = async (at: number) => {
      for (; part() < at; await pause(1000)) {
        const [blue, green] = servers;
        memory.sample(part(), { blue: blue?.pid, green: green?.pid, worker: worker.pid });
      }
    };

    await checkReadsDuring(origin, service, async () => {
      await untilPart(AT.invitations);
      // At this pace, the last invitation is sent near the end.
      const perHour = Math.ceil((PEOPLE / 2 / (durationMs * (1 - AT.invitations))) * 3_600_000);
      await inviteHalf(env, perHour);
      await untilPart(AT.newVersion);
      for (const index of servers.keys()) await service.replace(index, postgres.other);
      await worker.stop();
      worker = await keep(startWorker(env, postgres.other));
      await untilPart(1);
    });

    check(!ledger.others(201), `a sign-up failed: ${ledger.others(201)}`);
    const { ids, copies } = postgres.smtp.count();
    check(copies === 0, `${copies} mails were sent twice`);
    const growthMb = memory.growth(AT.newVersion);
    const grown = Object.entries(growthMb).filter(([, mb]) => mb > MAX_GROWTH_MB);
    check(grown.length === 0, `memory grew by more than ${MAX_GROWTH_MB} MB: ${grown.join(", ")}`);
    Object.assign(figures, { p99Ms: quantile(ledger.latencies(), 0.99), mails: ids.size, growthMb });
  },
  controls: [
    {
      without: "letting go of memory",
      finds: /^memory grew/,
      changes: [
        [
          "core/sign-ups/group-commit.ts",
          "queue.push(queued);",
          "queue.push(queued); (globalThis.kept ??= []).push(Buffer.alloc(100_000, 1));",
        ],
      ],
    },
  ],
});

/** What an operator does with a draft in the console. */
async function inviteHalf(env: Record<string, string>, perHour: number): Promise<void> {
  const { DATABASE_URL, invitations } = readConfig(env);
  if (!invitations) throw new Error("No invitations");
  const db = connect(DATABASE_URL);
  const text = { kind: "invitation", ...defaultInvitation(invitations) } as const;
  const draft = { ...text, audience: { next: PEOPLE / 2 }, pace: { count: perHour, unit: "hour" } } as const;
  await sendDraft(db, MAIL_ON, OPERATOR, await createMessage(db, OPERATOR, draft, invitations));
  await db.destroy();
}

/** Fills the list with people who have confirmed their address. Half of them will be invited. */
async function fillList(url: string): Promise<void> {
  await migrateDatabase(url);
  const db = connect(url);
  await recordConsentWording(db);
  await fill(db, PEOPLE);
  await db.pool.query("update sign_ups set confirmed_at = now()");
  await db.destroy();
}
