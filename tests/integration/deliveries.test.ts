import { beforeEach, describe, expect, test } from "vitest";
import { createKeys } from "#core/config/keys.ts";
import { fillMailbox } from "#core/mail/mailboxes.ts";
import { readDownload } from "#core/members/download.ts";
import { readMessage } from "#core/messages/messages.ts";
import { readPersonData } from "#core/people/person-data.ts";
import { deleteSignUps } from "#core/retention/delete-sign-ups.ts";
import { addressHash, erase } from "#core/retention/erase.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { audienceOf, prepareNews } from "#tests/support/messages.ts";
import { addMany, addPeople } from "#tests/support/people.ts";
import { runNode } from "#tests/support/run-node.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
beforeEach(() => emptyWaitlist(context.db));

const prepared = () => prepareNews(context.db, {});

describe("deliveries", () => {
  test("are counted exactly, whatever changes them", async () => {
    const ids = await addMany(context.db, 40);
    const id = await prepared();
    const { pool } = context.db;
    const setState = (state: string, from: number, to: number) =>
      pool.query("update deliveries set state = $1, sent_at = now() where sign_up_id = any($2)", [
        state,
        ids.slice(from, to),
      ]);
    await Promise.all([setState("sent", 0, 10), setState("rejected", 10, 15), setState("skipped", 15, 18)]);
    await setState("failed", 9, 11);
    await pool.query("delete from sign_ups where id = any($1)", [[ids[0], ids[39]]]);
    expect((await readMessage(context.db, id))?.progress).toEqual({
      pending: 21,
      sent: 8,
      rejected: 4,
      skipped: 3,
      failed: 2,
    });
  });

  test("are erased with their person, and so is the count of their mailbox", async () => {
    const [, bob = ""] = await addPeople(context.db, [{ email: "ada@example.com" }, { email: "bob@example.com" }]);
    const id = await prepared();
    await fillMailbox(context.db, "ada+1@example.com");
    await fillMailbox(context.db, "bob@example.com");
    const keys = createKeys("a secret of at least 32 characters");
    await erase(context.db, OPERATOR, "ada@example.com", addressHash(keys, "ada@example.com"));
    expect(await audienceOf(context.db, id)).toEqual(["bob@example.com"]);
    const { rows } = await context.db.pool.query("select sign_up_id from deliveries");
    expect(rows).toHaveLength(1);
    const mailboxes = async () =>
      (await context.db.selectFrom("mailboxes").select("mailbox").execute()).map((row) => row.mailbox);
    expect(await mailboxes()).toEqual(["bob@example.com"]);
    await context.db.transaction().execute((transaction) => deleteSignUps(transaction, [bob]));
    expect(await mailboxes()).toEqual([]);
  });

  test("are part of a person's data, on the command line and in the download", async () => {
    await addPeople(context.db, [{ email: "ada@example.com" }]);
    await fillMailbox(context.db, "ada@example.com");
    await prepared();
    const { deliveries } = await readPersonData(context.db, { email_key: "ada@example.com" });
    expect(deliveries).toMatchObject([{ kind: "announcement", subject: "News", state: "pending" }]);
    expect(await readDownload(context.db, "ada@example.com")).toMatchObject({
      "Emails to you": [{ Subject: "News", State: "pending" }],
      "Your mailbox": { "Mailbox, which several addresses can share": "ada@example.com" },
    });
    const { stdout } = await runNode("cli/waitlist.ts", { DATABASE_URL: context.url }, ["show", "ada@example.com"]);
    expect(stdout).toMatch(/News\s+pending/);
  });
});
