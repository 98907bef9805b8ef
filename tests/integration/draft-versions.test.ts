import { expect, test } from "vitest";
import { readMessage } from "#core/messages/messages.ts";
import { sendDraft } from "#core/messages/send-draft.ts";
import { createMessage, editMessage, prepareMessage } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useConsoleApi } from "#tests/support/console-api.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { NEWS } from "#tests/support/messages.ts";

const context = useConsoleApi();
const create = () => createMessage(context.db, OPERATOR, NEWS);
const CONFLICT = "newer than the one you read, because someone edited it";

test("of two edits at once one is saved, and the other is refused", async () => {
  const { id, version } = await create();
  const edit = (changes: object) => context.api.post(`/api/messages/${id}`, { ...NEWS, version, ...changes });
  const edits = await Promise.all([edit({ audience: { company: "Acme" } }), edit({ subject: "Good news" })]);
  const [saved, refused] = edits.toSorted((one, other) => one.status - other.status);
  expect(refused).toMatchObject({ status: 409, json: { detail: expect.stringContaining(CONFLICT) } });
  expect((await context.api.get(`/api/messages/${id}`)).json).toEqual(saved?.json);
});

test("a draft that was edited since it was read is neither prepared nor started", async () => {
  const { db } = context;
  const refused = { refused: "illegal", detail: expect.stringContaining(CONFLICT) };
  const draft = await create();
  await editMessage(db, OPERATOR, draft, { audience: { company: "Acme" } });
  expect(await sendDraft(db, MAIL_ON, OPERATOR, draft)).toMatchObject(refused);
  expect(await readMessage(db, draft.id)).toMatchObject({ preparedAt: null });
  await prepareMessage(db, OPERATOR, draft.id);
  expect(await sendDraft(db, MAIL_ON, OPERATOR, { ...draft, preparedAt: new Date() })).toMatchObject(refused);
  expect(await readMessage(db, draft.id)).toMatchObject({ state: "draft", startedAt: null });
});
