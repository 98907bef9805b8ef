import { expect, test } from "vitest";
import { setRole } from "#core/operators/team-roles.ts";
import { recordConsentWording } from "#core/people/consent.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useLeastPrivilege } from "#tests/support/least-privilege.ts";
import { switchMail } from "#tests/support/mail-on.ts";
import { addPeople } from "#tests/support/people.ts";
import { TEAM_SIZE, TOOLS } from "#tests/support/questions.ts";
import { ADA, createBrowser, useTeamConsole } from "#tests/support/team-console.ts";

const context = useLeastPrivilege();
const team = useTeamConsole(() => context.db.farwatch_console, {
  INVITE_URL: "https://app.example.com/join",
  HOOK_HOSTS: "crm.example",
});

test("farwatch_console may do all that an admin can do in the team's console, but send test emails, export links and move deliveries", async () => {
  const { farwatch: owner } = context.db;
  await recordConsentWording(owner);
  await switchMail(owner, true);
  const person = (email: string) => ({ email, company: "Acme", confirmed: !email.startsWith("cy") });
  const [ada, bob, cy] = await addPeople(owner, ["ada@x.test", "bob@x.test", "cy@x.test"].map(person));
  await owner.pool.query(`
    insert into quarantine (email_key, email, first_name, last_name, newsletter, website)
    select name, name, 'B', 'T', false, 'x' from unnest(array['cy@x.test', 'one@x.test', 'two@x.test']) as name`);
  await setRole(owner, OPERATOR, "@example.com", "admin");
  const [browser, other] = [createBrowser(team), createBrowser(team)];
  await browser.signIn();
  await other.signIn({ ...ADA, sub: "bob", email: "bob@example.com" });
  await owner.pool.query("update console_sessions set last_seen_at = now() - interval '2 minutes'");

  const done: string[] = [];
  const post = async (path: string, payload: object = {}) => {
    const url = `/api/${path}`;
    const { statusCode, body } = await browser.post(url, payload);
    expect(`${url} ${statusCode} ${body}`).toMatch(/ 20\d /);
    done.push(url.replace(/\/(\d+|[\w-]{43})(\/|$)/, "/1$2"));
    return body ? JSON.parse(body) : undefined;
  };
  await post(`people/${ada}/edit`, { company: "Initech" });
  for (const action of ["invite", "uninvite", "unsubscribe", "stop-mail"]) await post(`people/${ada}/${action}`);
  await post(`people/${cy}/send-link`);
  await owner.pool.query("update sign_ups set friend_of = $1 where id = $2", [ada, bob]);
  for (const isVoid of [true, false]) await post(`people/${ada}/friends`, { isVoid });
  const text = { kind: "invitation", subject: "Hi", body: "Join: {{inviteUrl}}" };
  const { path } = await post("previews", { ...text, scheme: "light" });
  const draft = { ...text, audience: { next: 1 }, pace: null };
  const { id, version } = await post("messages", draft);
  await post(`messages/${id}`, { ...draft, subject: "Hello", version });
  await post(`messages/${id}/start`, { version: version + 1 });
  for (const change of ["pause", "resume", "cancel"]) await post(`messages/${id}/${change}`);
  await post("waves/2/uninvite");
  await post("acceptance-secrets");
  await post("quarantine/release", { ids: ["1", "2"] });
  await post("quarantine/drop", { ids: ["3"] });
  const { upTo } = (await browser.get("/api/moves/preview?confirmed=no")).json();
  expect(await post("moves", { filter: { confirmed: "no" }, upTo, withConfirmed: true })).toEqual({ moved: 2 });
  const [move] = (await browser.get("/api/moves")).json();
  expect(await post(`moves/${move.id}/undo`)).toEqual({ moved: 2 });
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
  expect(await post("imports/undo", { source: "Fair" })).toEqual({ removed: 1 });
  const { id: exported } = await post("exports", { format: "csv" });
  expect((await browser.get(`/api/exports/${exported}/file`)).body).toContain("bob@x.test");
  await post(`exports/${exported}/cancel`);
  await post(`people/${bob}/erase`, { address: "bob@x.test" });
  await post("sessions/2/end");
  const webhook = await post("webhooks", { url: "https://crm.example/", sends: "pseudonyms" });
  for (const change of ["test", "pause", "resume", "rotate"]) await post(`webhooks/${webhook.id}/${change}`);
  expect((await browser.get("/api/webhooks")).json()).toMatchObject([{ host: "crm.example", state: "active" }]);
  await post(`webhooks/${webhook.id}/remove`);
  expect((await browser.get(path, { "sec-fetch-dest": "iframe" })).statusCode).toBe(200);
  for (const { url } of team.routes.filter(({ method, access }) => method === "GET" && !access))
    expect((await browser.get(url)).statusCode, url).not.toBe(500);
  expect((await browser.post("/api/exports", { format: "csv", link: true })).statusCode).toBe(409);
  const tested = await browser.post("/api/message-tests", { ...text, address: "ada@example.com" });
  expect(tested.json().detail).toContain("can't send test emails");
  expect((await browser.post(`/api/messages/${id}/rest`, {})).statusCode).toBe(409);
  await post("sign-out");
  const all = team.routes.filter(({ method }) => method === "POST").map(({ url }) => url);
  expect(all.filter((url) => !done.includes(url))).toEqual(["/api/messages/1/rest", "/api/message-tests"]);
});
