import { beforeEach, expect, test } from "vitest";
import { createMailQueue } from "#core/mail/queue/choose-mails.ts";
import { recordOutcome } from "#core/mail/queue/deliveries.ts";
import { NO_NETWORK } from "#core/people/origin.ts";
import { useMail } from "#tests/support/mail-worker.ts";

const mail = useMail();

let time: number;
let claim: ReturnType<typeof createMailQueue>;
beforeEach(() => {
  time = Date.now();
  claim = createMailQueue(mail.db, 100_000, () => time);
});

/** Adds people whose confirmation is due. */
async function addDue(name: string, count: number, network: string): Promise<void> {
  await mail.db.pool.query(
    `insert into sign_ups (email_key, email, first_name, last_name, newsletter, mail_network)
    select address, address, 'Ada', 'Lovelace', false, ${network}
    from generate_series(1, $2::integer) as number, format('%s%s@example.com', $1::text, number) as address`,
    [name, count],
  );
}

/** Sends what may be sent now, and returns how many people of each name were mailed. */
async function send(): Promise<Record<string, number>> {
  const sent: Record<string, number> = {};
  for (let isIdle = false; !isIdle; ) {
    const claimed = await claim(50);
    isIdle = claimed.isIdle;
    for (const each of claimed.mails) {
      const name = each.email.replace(/\d*@.*/, "");
      sent[name] = (sent[name] ?? 0) + 1;
      await recordOutcome(mail.db, each, "sent");
    }
  }
  return sent;
}

test("one network gets its budget and no one else waits; the rest of its people are mailed in the next hours", async () => {
  await addDue("bot", 1000, "-2147483648");
  await addDue("person", 20, "number");
  const { mails } = await claim(42);
  expect(mails.filter(({ email }) => email.startsWith("person"))).toHaveLength(20);
  for (const each of mails) await recordOutcome(mail.db, each, "sent");
  expect(await send()).toEqual({ bot: 250 - 22 });
  expect(await send()).toEqual({});
  await addDue("late", 20, "number");
  expect(await send()).toEqual({ late: 20 });
  // Often enough that waiting mail doesn't look as if no worker were running.
  time += 15_000;
  expect(await send()).toEqual({ bot: 1 });
  for (const bot of [250, 250, 249]) {
    time += 3_600_000;
    expect(await send()).toEqual({ bot });
  }
  expect(await mail.queue()).toMatchObject({ waiting: 0 });
});

test("mail that an operator causes has no budget", async () => {
  await addDue("imported", 300, String(NO_NETWORK));
  expect(await send()).toEqual({ imported: 300 });
});
