import { expect, test } from "vitest";
import { readConfig } from "#core/config/config.ts";
import { memberLink } from "#core/links/links.ts";
import { openConsoleApi } from "#tests/support/console-api.ts";
import { INVITATION, makeEveryChange } from "#tests/support/every-change.ts";
import { useLeastPrivilege } from "#tests/support/least-privilege.ts";
import { INVITE } from "#tests/support/mail-worker.ts";
import { addPeople } from "#tests/support/people.ts";
import { startScratchSmtp } from "#tests/support/scratch-smtp.ts";

const { db } = useLeastPrivilege();

test("farwatch_operate may do all that the local console can do", async () => {
  await using stack = new AsyncDisposableStack();
  const smtp = await startScratchSmtp();
  stack.defer(smtp.stop);
  const origin = "https://farwatch.test";
  const settings = {
    DATABASE_URL: "postgres://unused",
    SECRET: "an operator's secret of 32 letters",
    PUBLIC_ORIGIN: origin,
    SMTP_URL: smtp.url,
  };
  const { keys, mail, invitations } = readConfig({ ...settings, ...INVITE });
  if (!keys) throw new Error("No keys");
  const parts = { keys, mail, invitations, webhookHosts: ["crm.example"] };
  const linkOf = (person: Parameters<typeof memberLink>[1]) => memberLink(keys, person, origin);
  const api = await openConsoleApi({ db: db.farwatch_operate, ...parts, linkOf });
  stack.defer(() => api.close());
  const post = async (path: string, payload: object = {}) => {
    const { status, text, json } = await api.post(`/api/${path}`, payload);
    expect(`${path} ${status} ${text}`).toMatch(/ 20\d /);
    return json;
  };
  const get = async (path: string) => {
    const { json, text } = await api.get(`/api/${path}`);
    return json ?? text;
  };
  await makeEveryChange(db.farwatch, { post, get });
  await addPeople(db.farwatch, [{ email: "dan@x.test" }]);
  const { id: canceled, version } = await post("messages", { ...INVITATION, audience: {}, pace: null });
  await post(`messages/${canceled}/start`, { version });
  await post(`messages/${canceled}/cancel`);
  await post(`messages/${canceled}/rest`);
  expect(await post("message-tests", { ...INVITATION, address: "ada@example.com" })).toEqual({ outcome: "sent" });
  const { id } = await post("exports", { format: "csv", link: true });
  expect(await get(`exports/${id}/file`)).toContain(origin);
});
