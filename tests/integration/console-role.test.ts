import { expect, test } from "vitest";
import { setRole } from "#core/operators/team-roles.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { INVITATION, makeEveryChange } from "#tests/support/every-change.ts";
import { useLeastPrivilege } from "#tests/support/least-privilege.ts";
import { ADA, createBrowser, useTeamConsole } from "#tests/support/team-console.ts";

const context = useLeastPrivilege();
const team = useTeamConsole(() => context.db.farwatch_console, {
  INVITE_URL: "https://app.example.com/join",
  WEBHOOK_HOSTS: "crm.example",
});

test("farwatch_console may do all that an admin can do in the team's console, but send test emails, export links and move deliveries", async () => {
  const { farwatch: owner } = context.db;
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
  const get = async (path: string) => {
    const { body, headers } = await browser.get(`/api/${path}`);
    return String(headers["content-type"]).includes("json") ? JSON.parse(body) : body;
  };
  const { message, preview } = await makeEveryChange(owner, { post, get });
  await post("sessions/2/end");
  expect((await browser.get(preview, { "sec-fetch-dest": "iframe" })).statusCode).toBe(200);
  for (const { url } of team.routes.filter(({ method, access }) => method === "GET" && !access))
    expect((await browser.get(url)).statusCode, url).not.toBe(500);
  expect((await browser.post("/api/exports", { format: "csv", link: true })).statusCode).toBe(409);
  const tested = await browser.post("/api/message-tests", { ...INVITATION, address: "ada@example.com" });
  expect(tested.json().detail).toContain("can't send test emails");
  expect((await browser.post(`/api/messages/${message}/rest`, {})).statusCode).toBe(409);
  await post("sign-out");
  const all = team.routes.filter(({ method }) => method === "POST").map(({ url }) => url);
  expect(all.filter((url) => !done.includes(url))).toEqual(["/api/messages/1/rest", "/api/message-tests"]);
});
