import { expect, test, vi } from "vitest";
import { setRole } from "#core/operators/team-roles.ts";
import { recordConsentWording } from "#core/sign-ups/consent.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useLeastPrivilege } from "#tests/support/least-privilege.ts";
import { addPeople } from "#tests/support/people.ts";
import { createBrowser, useTeamConsole } from "#tests/support/team-console.ts";

vi.setConfig({ testTimeout: 30_000 });
const context = useLeastPrivilege();
const INVITE_URL = "https://app.example.com/join";
const team = useTeamConsole(() => context.db.farwatch_console, { INVITE_URL });

test("farwatch_console may do all that an admin can do in the team's console", async () => {
  const { farwatch: owner } = context.db;
  await recordConsentWording(owner);
  const emails = ["ada@example.com", "bob@example.com", "cy@example.com"];
  const [ada, bob, cy] = await addPeople(
    owner,
    emails.map((email) => ({ email, company: "Acme", newsletter: true })),
  );
  await owner.pool.query("update sign_ups set confirmed_at = now() where id <> $1", [cy]);
  await owner.pool.query(`
    insert into quarantine (email_key, email, first_name, last_name, newsletter, website)
    select name, name, 'B', 'T', false, 'x' from unnest(array['cy@example.com', 'one@example.com', 'two@example.com']) as name`);
  await setRole(owner, OPERATOR, "@example.com", "admin");

  const browser = createBrowser(team);
  await browser.signIn();
  await owner.pool.query("update console_sessions set last_seen_at = now() - interval '2 minutes'");
  const text = { kind: "invitation", subject: "Hi", body: "Join: {{inviteUrl}}" };
  const draft = { ...text, audience: { next: 1 }, pace: null };
  const done: string[] = [];
  const post = async (url: string, payload: object = {}) => {
    const { statusCode, body } = await browser.post(url, payload);
    expect(`${url} ${statusCode} ${body}`).toMatch(/ 20\d /);
    done.push(url.replace(/\/\d+\//, "/1/").replace(/\/\d+$/, "/1"));
    return body ? JSON.parse(body) : undefined;
  };
  await post(`/api/people/${ada}/edit`, { company: "Initech" });
  await post(`/api/people/${ada}/invite`);
  await post(`/api/people/${ada}/uninvite`);
  await post(`/api/people/${ada}/unsubscribe`);
  await post(`/api/people/${cy}/send-link`);
  const { path } = await post("/api/previews", { ...text, scheme: "light" });
  const { id, version } = await post("/api/messages", draft);
  const edited = await post(`/api/messages/${id}`, { ...draft, subject: "Hello", version });
  await post(`/api/messages/${id}/start`, { version: edited.version });
  for (const change of ["pause", "resume", "cancel"]) await post(`/api/messages/${id}/${change}`);
  await post("/api/waves/2/uninvite");
  await post("/api/quarantine/release", { ids: ["1", "2"] });
  await post("/api/quarantine/drop", { ids: ["3"] });
  const { id: file } = await post("/api/exports", { format: "csv" });
  expect((await browser.get(`/api/exports/${file}/file`)).body).toContain("bob@example.com");
  await post(`/api/exports/${file}/cancel`);
  await post(`/api/people/${bob}/erase`, { address: "bob@example.com" });
  const other = createBrowser(team);
  await other.signIn({ sub: "bob", email: "bob@example.com", email_verified: true });
  await post("/api/sessions/2/end");

  expect((await browser.get(path, { "sec-fetch-dest": "iframe" })).statusCode).toBe(200);
  const reads = team.routes.filter(({ method, access }) => method === "GET" && !access);
  for (const { url } of reads) expect((await browser.get(url)).statusCode, url).not.toBe(500);
  await post("/api/sign-out");
  const all = team.routes.filter(({ method }) => method === "POST").map(({ url }) => url);
  // Tested apart: the console has no mail server.
  expect(all.filter((url) => !done.includes(url)).sort()).toEqual(["/api/exports/1/cancel", "/api/message-tests"]);
});

test("the team's console sends no test emails and exports no links, and says so", async () => {
  const browser = createBrowser(team);
  await browser.signIn();
  const mail = { kind: "announcement", subject: "Hi", body: "Hi", address: "ada@example.com" };
  expect((await browser.post("/api/message-tests", mail)).json().detail).toContain("waitlist message test");
  const file = { format: "csv", link: true };
  expect((await browser.post("/api/exports", file)).statusCode).toBe(409);
});
