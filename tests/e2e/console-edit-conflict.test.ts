import { createMessage, editMessage, readMessage } from "#core/messages/messages.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { expect, open, refetch } from "#tests/support/console.ts";
import { test } from "#tests/support/console-mail.ts";
import { NEWS } from "#tests/support/messages.ts";

test("a draft that a colleague edits while its dialog is open isn't sent", async ({ page, db }) => {
  const draft = await createMessage(db, OPERATOR, NEWS);
  await open(page, `messages/${draft.id}?send`);
  const dialog = page.getByRole("dialog");
  const send = dialog.getByRole("button", { name: /^Send to \d/ });
  await send.waitFor();
  await editMessage(db, OPERATOR, draft, { subject: "Bad news" });
  await refetch(page);
  await expect(dialog).toContainText("Bad news");
  await send.click();
  await expect(dialog.getByRole("alert")).toContainText("because someone edited it");
  expect(await readMessage(db, draft.id)).toMatchObject({ state: "draft", preparedAt: null });
});
