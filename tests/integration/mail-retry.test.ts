import { beforeEach, describe, expect, test } from "vitest";
import { prepareMessage } from "#core/mail/audience.ts";
import { retryFailed } from "#core/mail/deliveries.ts";
import { feed } from "#core/mail/feed.ts";
import { startMessage } from "#core/mail/message-states.ts";
import { createMessage, readMessage } from "#core/mail/messages.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { addMany } from "#tests/support/people.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();

describe("a retry while the sweep finishes the message", () => {
  let id: string;
  beforeEach(async () => {
    await emptyWaitlist(context.db);
    await addMany(context.db, 1);
    const draft = { kind: "announcement", subject: "News", body: "Hi", audience: {}, pace: null } as const;
    ({ id } = await createMessage(context.db, OPERATOR, draft));
    await prepareMessage(context.db, OPERATOR, id);
    await startMessage(context.db, OPERATOR, id);
    await context.db.pool.query("update deliveries set state = 'failed'");
  });

  const expectSending = async () =>
    expect(await readMessage(context.db, id)).toMatchObject({ state: "sending", progress: { pending: 1, failed: 0 } });

  test("keeps it sending, if the retry comes first", async () => {
    const other = await context.db.pool.connect();
    await other.query("begin");
    // What a retry writes last.
    await other.query("lock table activity in exclusive mode");
    const retrying = retryFailed(context.db, OPERATOR);
    await untilBlocked(context.db);
    await context.db.transaction().execute((transaction) => feed(transaction, 600));
    await other.query("rollback");
    other.release();
    expect(await retrying).toBe(1);
    await expectSending();
  });

  test("resumes it, if the sweep comes first", async () => {
    const { retrying } = await context.db.transaction().execute(async (transaction) => {
      await feed(transaction, 600);
      const retrying = retryFailed(context.db, OPERATOR);
      await Promise.race([untilBlocked(context.db), retrying]);
      return { retrying };
    });
    expect(await retrying).toBe(1);
    await expectSending();
  });
});
