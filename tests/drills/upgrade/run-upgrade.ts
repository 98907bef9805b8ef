import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Check, type Outcome, runScenario } from "#tests/drills/faults/drill.ts";
import { loadPage, loadPagesDuring } from "#tests/drills/faults/page-loads.ts";
import type { Service } from "#tests/drills/faults/service.ts";
import { type MailProcess, startMailProcess } from "#tests/support/mail-process.ts";
import { startMailSink } from "#tests/support/mail-sink.ts";
import { aVersion1SignUp, version1WithPage } from "#tests/support/release.ts";
import { runNode } from "#tests/support/run-node.ts";
import { type ScratchPostgres, startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { checkBackup, takeBackup } from "./backup.ts";
import { fillVersion1 } from "./fill-version-1.ts";
import { collectLinks, confirmBy, LINKS, unsubscribeBy } from "./links.ts";
import { countWaiting, untilMailed } from "./mail-audit.ts";
import { type Phase, trackPhases } from "./phases.ts";

export interface UpgradeOptions {
  people: number;
  /** How long each version serves between two replacements. */
  seconds: number;
  /** Sign-ups, each of which causes a mail. */
  perSecond: number;
  /** The folder of the version that replaces 1.0.0. */
  next: string;
}

export interface UpgradeOutcome extends Outcome {
  phases: Phase[];
  failedSignUps: number;
  failedPageLoads: number;
  /** How many mails were waiting in version 1.0.0's queue at each replacement of its worker. */
  waitingInOldQueue: number[];
  mailsLost: number;
  mailCopies: number;
}

const SECRET = "an example secret of 32 characters";
export const ON_NEW_SCHEMA = "1.0.0 on the new schema";

/** From version 1.0.0 to the next one, back and forward again, by the steps in docs/operations.md, under load. */
export async function runUpgrade({ people, seconds, perSecond, next }: UpgradeOptions): Promise<UpgradeOutcome> {
  const old = version1WithPage();
  const assets = mkdtempSync(join(tmpdir(), "farwatch-kept-"));
  const smtp = await startMailSink();
  // Slower than people sign up, so that mail is waiting when the worker is replaced.
  const slowMailMs = 2500 / perSecond;
  let worker: MailProcess | undefined;
  let backup: ScratchPostgres | undefined;
  const mailEnv = {
    SECRET,
    SMTP_URL: smtp.url,
    PUBLIC_ORIGIN: "https://farwatch.example",
    MAIL_PER_MINUTE: "60000",
  };
  const due: string[] = [];
  const found: Omit<UpgradeOutcome, keyof Outcome> = {
    phases: [],
    failedSignUps: 0,
    failedPageLoads: 0,
    waitingInOldQueue: [],
    mailsLost: 0,
    mailCopies: 0,
  };

  async function scenario(service: Service<ScratchPostgres>, check: Check): Promise<void> {
    const { origin, clients, postgres } = service;
    const { url } = postgres;
    const { phases, phase } = trackPhases(clients.ledger);
    found.phases = phases;
    const startWorker = (folder: string) => startMailProcess({ DATABASE_URL: url, ...mailEnv }, folder);
    const serve = () => pause(seconds * 1000);
    const noFailures = (failures: string[], what: string) =>
      check(failures.length === 0, `${failures.length} ${what}: ${failures[0]}`);

    /** Servers first, then the worker: its mails have links that the servers must know. */
    async function replaceBy(name: string, folder: string): Promise<void> {
      await phase(`servers of ${name}`, async () => {
        for (const index of service.servers.keys()) {
          await service.replace(index, folder);
          // The second in which HAProxy's health check sees it.
          await pause(1000);
        }
      });
      if (folder === next) found.waitingInOldQueue.push(await countWaiting(url));
      await phase(`mail worker of ${name}`, async () => {
        await worker?.stop();
        worker = await startWorker(folder);
      });
      smtp.ackDelayMs = folder === next ? 0 : slowMailMs;
      await phase(name, serve);
    }
    const waitlist = async (folder: string, ...args: string[]) => {
      const script = folder === next ? "cli/waitlist.ts" : "operator/waitlist.ts";
      const { code, stdout, stderr } = await runNode(join(folder, script), { DATABASE_URL: url }, args);
      check(code === 0, `waitlist ${args[0]} exited with ${code}: ${stdout}${stderr}`);
    };

    worker = await startWorker(old.folder);
    smtp.ackDelayMs = slowMailMs;
    await phase("1.0.0", serve);
    const oldLinks = await collectLinks(smtp, "1.0.0");
    const oldPage = await loadPage(origin);
    await phase("backup", async () => {
      backup = await takeBackup(url);
    });
    await phase("migration", () => waitlist(next, "migrate"));
    // Anyone would stop here, before the next version makes it worse.
    if ((await phase(ON_NEW_SCHEMA, serve)).failed > 0) return;

    await replaceBy("the next version", next);
    noFailures(await confirmBy(oldLinks.slice(0, LINKS), origin), "links of 1.0.0 failed");
    noFailures(await unsubscribeBy(oldLinks.slice(LINKS), origin), "unsubscribe links of 1.0.0 failed");
    noFailures(await missing(origin, oldPage.paths), "assets of 1.0.0 are missing");
    const newLinks = await collectLinks(smtp, "next");
    const newPage = await loadPage(origin);

    await replaceBy("1.0.0, rolled back", old.folder);
    noFailures(await confirmBy(newLinks.slice(0, LINKS), origin), "new links failed on 1.0.0");
    noFailures(await missing(origin, newPage.paths), "assets of the next version are missing");

    await phase("migration again", () => waitlist(next, "migrate"));
    await replaceBy("the next version, again", next);
    noFailures(await unsubscribeBy(newLinks.slice(LINKS), origin), "new unsubscribe links failed");
    await waitlist(next, "verify");
  }

  try {
    const outcome = await runScenario(
      {
        postgres: startScratchPostgres,
        isBalanced: true,
        release: old.folder,
        async prepare(url) {
          due.push(...(await fillVersion1(old.folder, url, people)));
        },
        env: { ...mailEnv, MAIL_WORKER: "apart", KEPT_ASSETS: assets, LIMIT_PER_ADDRESS: "1000000000" },
        clients: { count: 16, perSecond, signUp: aVersion1SignUp },
      },
      async (service, check) => {
        const { ledger } = service.clients;
        const failures = await loadPagesDuring(service.origin, () => scenario(service, check));
        found.failedPageLoads = failures.length;
        check(failures.length === 0, `${failures.length} requests for the page failed: ${failures[0]}`);
        await service.clients.stop();
        for (const { name, failed } of found.phases) {
          found.failedSignUps += failed;
          check(
            failed === 0,
            `${failed} sign-ups failed in the phase "${name}": ${JSON.stringify([...ledger.statuses])}`,
          );
        }
        check(
          found.waitingInOldQueue.every((waiting) => waiting > 0),
          "no mail was waiting in the queue of 1.0.0",
        );
        smtp.ackDelayMs = 0;
        const expected = [...due, ...ledger.acknowledged];
        Object.assign(found, await untilMailed(smtp, expected));
        check(found.mailsLost === 0, `${found.mailsLost} of ${expected.length} mails did not arrive`);
        check(found.mailCopies === 0, `${found.mailCopies} mails arrived twice`);
        // While PostgreSQL is there: it records what it has sent.
        await worker?.stop();
        if (backup) for (const failure of await checkBackup(backup.url, old.folder, next)) check(false, failure);
      },
    );
    return { ...outcome, ...found };
  } finally {
    await worker?.stop();
    await backup?.stop();
    await smtp.stop();
    rmSync(assets, { recursive: true });
    old.remove();
  }
}

/** Those of the paths that aren't served. */
async function missing(origin: string, paths: string[]): Promise<string[]> {
  const responses = await Promise.all(
    paths.map(async (path) => ({ path, status: (await fetch(origin + path)).status })),
  );
  return responses.filter(({ status }) => status !== 200).map(({ path, status }) => `${status} ${path}`);
}
