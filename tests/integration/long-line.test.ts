import { beforeAll, expect, onTestFinished, test } from "vitest";
import { MEMBERSHIP_PATH, UNSUBSCRIBE_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { connect } from "#core/database/connect.ts";
import { createToken } from "#core/links/links.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { inDays, SECRET } from "#tests/support/members.ts";
import { addPeople } from "#tests/support/people.ts";
import { useTestApp } from "#tests/support/test-app.ts";

const context = useTestApp();

/** Makes reading a place in line take 20 ms per person, so 100 people are as slow as a long, unvacuumed list. */
beforeAll(async () => {
  await context.db.pool.query(`
    create function slowly(at timestamptz) returns timestamptz volatile language plpgsql as
      $$ begin perform pg_sleep(0.02); return at; end $$;
    create schema slow;
    do $$ declare columns text; begin
      select string_agg(case attname when 'line_at' then 'slowly(line_at) as line_at' else attname end, ', ' order by attnum)
        into columns from pg_attribute where attrelid = 'sign_ups'::regclass and attnum > 0 and not attisdropped;
      execute 'create view slow.sign_ups as select ' || columns || ' from public.sign_ups';
    end $$`);
});

test("a place that takes too long is left out: the member's page is shown, and an unsubscribe meanwhile succeeds", async () => {
  const ids = await addPeople(
    context.db,
    Array.from({ length: 100 }, (_, n) => ({ email: `p${n}@x.com` })),
  );
  const options = encodeURIComponent("-c search_path=slow,public");
  const membersDb = connect(`${context.url}?options=${options}`, { timeoutMs: 1200, maxConnections: 3 });
  onTestFinished(() => membersDb.destroy());
  const parts = { mail: MAIL_ON, publicOrigin: "https://farwatch.example", membersDb };
  const app = await context.openApp({}, parts);
  const tokenOf = (purpose: "membership" | "unsubscribe", n: number) =>
    createToken(purpose, createKeys(SECRET), { id: ids[n] ?? "", email_key: `p${n}@x.com` }, inDays(30));
  const open = (n: number) => app.inject(`${MEMBERSHIP_PATH}/${tokenOf("membership", n)}`);
  const pages = [99, 98, 97, 96, 95, 94, 93, 92].map(open);
  await pages[0];
  const unsubscribed = await app.inject({ method: "POST", url: `${UNSUBSCRIBE_PATH}/${tokenOf("unsubscribe", 0)}` });
  expect(unsubscribed.statusCode).toBe(200);
  for (const { statusCode, body } of await Promise.all(pages)) {
    expect({ statusCode, body }).toEqual({
      statusCode: 200,
      body: expect.stringContaining("<h1>Your place on the waitlist</h1>"),
    });
    expect(body).toContain("farwatch.example/?friend=");
  }
  expect(membersDb.breaker.isUp()).toBe(true);
});
