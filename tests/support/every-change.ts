import { expect } from "vitest";
import type { Database } from "#core/database/connect.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import { switchMail } from "./mail-on.ts";
import { addPeople } from "./people.ts";
import { TEAM_SIZE, TOOLS } from "./questions.ts";

/** Calls that must succeed, with paths below /api/. */
interface Calls {
  // biome-ignore lint/suspicious/noExplicitAny: tests know what they asked for
  post(path: string, payload?: object): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: tests know what they asked for
  get(path: string): Promise<any>;
}

export const INVITATION = { kind: "invitation", subject: "Hi", body: "Join: {{inviteUrl}}" };

/** Fills the empty list as its owner, and makes every change that both consoles can make. */
export async function makeEveryChange(owner: Database, { post, get }: Calls) {
  await recordConsentWording(owner);
  await switchMail(owner, true);
  const person = (email: string) => ({ email, company: "Acme", confirmed: !email.startsWith("cy") });
  const [ada, bob, cy] = await addPeople(owner, ["ada@x.test", "bob@x.test", "cy@x.test"].map(person));
  await owner.pool.query(`
    insert into quarantine (email_key, email, first_name, last_name, newsletter, website)
    select name, name, 'B', 'T', false, 'x' from unnest(array['cy@x.test', 'one@x.test', 'two@x.test']) as name`);
  await post(`people/${ada}/edit`, { company: "Initech" });
  for (const action of ["invite", "uninvite", "unsubscribe", "stop-mail"]) await post(`people/${ada}/${action}`);
  await post(`people/${cy}/send-link`);
  await owner.pool.query("update sign_ups set friend_of = $1 where id = $2", [ada, bob]);
  for (const isVoid of [true, false]) await post(`people/${ada}/friends`, { isVoid });
  const { path } = await post("previews", { ...INVITATION, scheme: "light" });
  const draft = { ...INVITATION, audience: { next: 1 }, pace: null };
  const { id, version } = await post("messages", draft);
  await post(`messages/${id}`, { ...draft, subject: "Hello", version });
  await post(`messages/${id}/start`, { version: version + 1 });
  for (const change of ["pause", "resume", "cancel"]) await post(`messages/${id}/${change}`);
  await post("waves/2/uninvite");
  await post("acceptance-secrets");
  await post("quarantine/release", { ids: ["1", "2"] });
  await post("quarantine/drop", { ids: ["3"] });
  const { upTo } = await get("set-aside/preview?confirmed=no");
  expect(await post("set-aside", { filter: { confirmed: "no" }, upTo, withConfirmed: true })).toEqual({ setAside: 2 });
  const [operation] = await get("set-aside");
  expect(await post(`set-aside/${operation.id}/bring-back`)).toEqual({ broughtBack: 2 });
  await post("quarantined-domains", { domain: "flood.test", days: 7 });
  await post("quarantined-domains", { domain: "flood.test", days: 30 });
  await post("quarantined-domains/remove", { domain: "flood.test" });
  for (const question of [TEAM_SIZE, TOOLS]) await post("questions", question);
  await post("questions/1/edit", { ...TEAM_SIZE, version: 1 });
  await post("questions/2/move-up");
  await post("questions/1/retire");
  const file = `email,name,answer1\neve@x.test,Eve Adams,${TEAM_SIZE.choices[0]}\n`;
  await post("imports/preview", { file, source: "Fair" });
  expect(await post("imports", { file, source: "Fair", wording: "Yes" })).toMatchObject({ imported: 1 });
  const { id: exported } = await post("exports", { format: "csv" });
  expect(await get(`exports/${exported}/file`)).toContain("bob@x.test");
  await post(`people/${bob}/erase`, { address: "bob@x.test" });
  const webhook = await post("webhooks", { url: "https://crm.example/", sends: "pseudonyms" });
  for (const change of ["test", "pause", "resume", "rotate"]) await post(`webhooks/${webhook.id}/${change}`);
  expect(await get("webhooks")).toMatchObject([{ host: "crm.example", state: "active" }]);
  await post(`webhooks/${webhook.id}/remove`);
  return { message: id, preview: path };
}
