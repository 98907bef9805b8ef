import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { MAIL_EVENTS_PATH, MEMBERSHIP_PATH, STATS_PATH, UNSUBSCRIBE_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { createToken } from "#core/links/links.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { inDays, SECRET } from "#tests/support/members.ts";
import { addPeople } from "#tests/support/people.ts";
import { useTestApp } from "#tests/support/test-app.ts";

const context = useTestApp({ mail: MAIL_ON, mailEvents: { generic: "a secret of a mail provider" } });
const idle = new Int32Array(new SharedArrayBuffer(4));

test("while the event loop is late, stats, member pages and mail events get 503 with Retry-After; leaving and unsubscribing work", async () => {
  const [id = ""] = await addPeople(context.db, [{ email: "ada@x.com" }]);
  const token = (purpose: "membership" | "unsubscribe") =>
    createToken(purpose, createKeys(SECRET), { id, email_key: "ada@x.com" }, inDays(30));
  const { app } = context;
  const request = async (method: "GET" | "POST", url: string) => {
    const { statusCode, headers } = await app.inject({ method, url });
    return `${statusCode} ${headers["retry-after"] ?? ""}`.trim();
  };
  const requests = async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await pause(1);
      Atomics.wait(idle, 0, 0, 1500);
    }
    return Promise.all([
      request("GET", STATS_PATH),
      request("GET", `${MEMBERSHIP_PATH}/${token("membership")}`),
      request("POST", `${MAIL_EVENTS_PATH}/generic`),
      request("POST", `${UNSUBSCRIBE_PATH}/${token("unsubscribe")}`),
    ]);
  };
  await expect.poll(requests, { timeout: 50_000, interval: 1 }).toEqual(["503 5", "503 5", "503 5", "200"]);
  const page = await app.inject(`${MEMBERSHIP_PATH}/${token("membership")}`);
  expect(page.headers["referrer-policy"]).toBe("no-referrer");
  const left = await app.inject({ method: "POST", url: `${MEMBERSHIP_PATH}/${token("membership")}/leave` });
  expect(left.statusCode).toBe(303);
});
