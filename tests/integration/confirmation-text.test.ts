import { expect, test } from "vitest";
import { CONFIRMATION } from "#core/mail/recipients.ts";
import * as messages from "#core/messages/messages.ts";
import { listMessages, type Message, readMessage } from "#core/messages/messages.ts";
import { editMessage } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useMail } from "#tests/support/mail-worker.ts";

const mail = useMail();
const read = async () => (await readMessage(mail.db, CONFIRMATION)) as Message;

test("an operator's confirmation is sent, with the fixed end", async () => {
  const original = await read();
  const { subject, body } = original;
  expect({ subject, body }).toEqual({
    subject: "Confirm your email address",
    body: expect.stringContaining("# Confirm"),
  });
  const text = { subject: "One more click", body: "Welcome!\n\n[**It is me**]({{confirmUrl}})" };
  const edited = await editMessage(mail.db, OPERATOR, original, text);
  expect(await messages.editMessage(mail.db, OPERATOR, original, text)).toMatchObject({ refused: "illegal" });
  await mail.join();
  await mail.startWorker();
  await mail.arrived(1);
  const [sent] = mail.smtp.mails;
  expect(sent?.subject).toBe("One more click");
  expect(sent?.text).toMatch(/^Welcome!\n\nIt is me: https:\S+membership\S+\n\nNot you\? .*unsubscribe:\n\nhttps:/);
  expect(sent?.html).toMatch(/<a href="https:\S+membership[^>]*>It is me<\/a>/);
  await editMessage(mail.db, OPERATOR, edited, { subject, body });
  expect(await listMessages(mail.db, 10)).toEqual([]);
});

test.each([
  ["a name that a stranger may have typed", "Hi {{firstName}}, [confirm]({{confirmUrl}})"],
  ["no link", "Welcome!"],
  ["a URL that isn't a link", "{{confirmUrl}}"],
  ["a placeholder that isn't closed", "[Confirm]({{confirmUrl}}) {{confirmUrl"],
])("a confirmation isn't saved with %s", async (_what, body) => {
  expect(await messages.editMessage(mail.db, OPERATOR, await read(), { body })).toMatchObject({ refused: "invalid" });
});
