import { beforeEach, describe, expect, test } from "vitest";
import { createMailQueue } from "#core/mail/choose-mails.ts";
import { retryFailed } from "#core/mail/deliveries.ts";
import { prepareMessage } from "#core/messages/audience.ts";
import { startMessage } from "#core/messages/message-states.ts";
import { createMessage, readMessage } from "#core/messages/messages.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { untilBlocked } from "#tests/support/lock-waits.ts";
import { addMany } from "#tests/support/people.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();

describe("a retry while a worker finishes the message", () => {
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
    await createMailQueue(context.db, 600)(5);
    await other.query("rollback");
    other.release();
    expect(await retrying).toBe(1);
    await expectSending();
  });

  test("resumes it, if the worker comes first", async () => {
    await createMailQueue(context.db, 600)(5);
    expect(await readMessage(context.db, id)).toMatchObject({ state: "done" });
    expect(await retryFailed(context.db, OPERATOR)).toBe(1);
    await expectSending();
  });
});
