import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import type { MailSink } from "#tests/support/mail-sink.ts";

/** As long as version 1.0.0's longest pause between two attempts, and the next version's until it adopts its jobs. */
const MAX_STALL_MS = 120_000;
/** Long enough for a copy to follow. */
const SETTLE_MS = 3000;

/** How many mails have a job in the queue of version 1.0.0. */
export async function countWaiting(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select count(*)::integer as waiting from jobs.job where name = 'confirmation' and state < 'completed'",
    );
    return rows[0].waiting;
  } finally {
    await client.end();
  }
}

/** Waits until everyone has got their mail, or none has arrived for a while. */
export async function untilMailed({ arrivals }: MailSink, expected: string[]) {
  const missing = () => expected.filter((address) => !arrivals.has(address)).length;
  let [arrived, since] = [arrivals.size, performance.now()];
  while (missing() > 0 && performance.now() - since < MAX_STALL_MS) {
    await pause(500);
    if (arrivals.size !== arrived) [arrived, since] = [arrivals.size, performance.now()];
  }
  await pause(SETTLE_MS);
  return {
    mailsLost: missing(),
    mailCopies: [...arrivals.values()].reduce((copies, count) => copies + count - 1, 0),
  };
}
