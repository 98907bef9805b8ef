import { expect, onTestFinished, test } from "vitest";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { createLogger } from "#core/service/log.ts";
import { createApp } from "#server/app.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { useMail } from "#tests/support/mail-worker.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const mail = useMail();

/** A server for which more than 100 sign-ups a minute are a surge. */
async function startServer() {
  const logged: string[] = [];
  const log = createLogger("warn", { write: (line) => void logged.push(line) });
  const { metrics } = unlimited;
  const limits = { ...unlimited.limits, perClient: 1, perAddress: 10 };
  const app = await createApp({ db: mail.db, ...unlimited, metrics, limits, log, mail: MAIL_ON });
  onTestFinished(() => app.close());
  const post = async (network: number, payload = aSignUp()) => {
    const remoteAddress = `10.0.${network}.1`;
    return (await app.inject({ method: "POST", url: WAITLIST_PATH, payload, remoteAddress })).statusCode;
  };
  return { metrics, logged, post };
}

test("a surge rejects nobody, raises the metric, logs a line, and holds back confirmation mail", async () => {
  const { metrics, logged, post } = await startServer();
  const surge = async () => (await metrics.registry.metrics()).match(/^farwatch_surge \d/m)?.[0];

  for (let network = 0; network < 100; network += 1) expect(await post(network)).toBe(201);
  expect([await surge(), logged.length]).toEqual(["farwatch_surge 0", 0]);
  for (let network = 100; network < 110; network += 1) expect(await post(network)).toBe(201);
  expect(await surge()).toBe("farwatch_surge 1");
  expect(logged.filter((line) => line.includes("confirmation mail is on hold"))).toHaveLength(1);
  await expect.poll(() => mail.db.selectFrom("mail_hold").selectAll().execute()).toHaveLength(1);

  expect(await mail.deliver()).toEqual([]);
  await mail.db.updateTable("mail_hold").set({ until: new Date() }).execute();
  expect(await mail.deliver()).toHaveLength(110);
});

test("duplicates of one address aren't a surge", async () => {
  const { logged, post } = await startServer();
  const ada = aSignUp();
  const statuses: number[] = [];
  for (let network = 0; network < 110; network += 1) statuses.push(await post(network, ada));
  expect(statuses).toEqual([201, ...Array(10).fill(409), ...Array(99).fill(429)]);
  expect(logged).toEqual([]);
});
