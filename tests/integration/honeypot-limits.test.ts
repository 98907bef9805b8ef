import { sql } from "kysely";
import { expect, test } from "vitest";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestApp } from "#tests/support/test-app.ts";

const context = useTestApp();

const post = (remoteAddress: string, website = "https://spam.example") =>
  context.app.inject({ method: "POST", url: WAITLIST_PATH, payload: aSignUp({ website }), remoteAddress });
const quarantined = () => context.db.selectFrom("quarantine").selectAll().orderBy("id").execute();

test("a client fills the quarantine ten times an hour, and gets the same response when nothing more is stored", async () => {
  const [first, ...others] = await Array.fromAsync(Array(30), () => post("198.51.100.1"));
  for (const { statusCode, body, headers } of others) {
    expect([statusCode, body]).toEqual([201, first?.body]);
    expect({ ...headers, date: "" }).toEqual({ ...first?.headers, date: "" });
  }
  expect(await quarantined()).toHaveLength(10);
  expect((await post("198.51.100.1", "")).statusCode).toBe(201);
  await post("203.0.113.1");
  expect(await quarantined()).toHaveLength(11);
});

test("the quarantine keeps the first 200 characters of what was in the honeypot", async () => {
  await post("198.51.100.2", "🪤".repeat(2000));
  expect((await quarantined()).map(({ website }) => website)).toEqual(["🪤".repeat(200)]);
});

test("the quarantine keeps the newest 10,000 entries", async () => {
  await sql`
    insert into quarantine (email_key, email, first_name, last_name, newsletter, website)
    select n::text, n::text, 'a', 'b', false, 'x' from generate_series(1, 10005) as n`.execute(context.db);
  await post("198.51.100.3");
  const rows = await quarantined();
  expect(rows).toHaveLength(10_000);
  expect([rows[0]?.email, rows.at(-2)?.email]).toEqual(["7", "10005"]);
  expect(rows.at(-1)?.website).toBe("https://spam.example");
});
