import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { statusOf } from "#console/app/views/status.ts";
import { readPerson } from "#console/json/people.ts";
import { sendLink } from "#core/mail/queue/send-link.ts";
import { splitAudience } from "#core/messages/audience.ts";
import { readCounts } from "#core/overview/count.ts";
import { countMatching, type Filter } from "#core/people/filter.ts";
import { RECIPIENTS } from "#core/people/filter-fields.ts";
import { readPeoplePage } from "#core/people/people-page.ts";
import { exportFile } from "#core/transfer/export-file.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { MAIL_ON } from "#tests/support/mail-on.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();

/** One person in each combination of states. */
async function fill() {
  const states = ["confirmed", "invited", "suppressed", "newsletter", "withdrawn"];
  await context.db.pool.query(
    `with states as (
       select number, ${states.map((name, bit) => `(number >> ${bit}) & 1 = 1 as ${name}`).join(", ")}
       from generate_series(0, 31) as number
     ), people as (
       insert into sign_ups (email_key, email, first_name, last_name, newsletter, confirmed_at, invited_at, suppressed_at)
       select number || '@x.com', number || '@x.com', 'A', 'B', newsletter, case when confirmed then now() end,
         case when invited then now() end, case when suppressed then now() end
       from states returning id, email
     ), wording as (
       insert into consent_wordings (version, wording) values (-1, 'News?') on conflict do nothing
     )
     insert into consents (sign_up_id, wording_version, given)
     select id, -1, false from people join states on email = number || '@x.com' where withdrawn`,
  );
}

test("everyone who says in which state a person is says the same", async () => {
  await fill();
  const { db } = context;
  const counts = await readCounts(db);
  const states = ["confirmed", "invited", "suppressed", "newsletter", "unsubscribed"];
  const filters: Record<string, Filter> = Object.fromEntries(states.map((name) => [name, { [name]: true }]));
  filters.waiting = RECIPIENTS.invitation;
  const files = Object.fromEntries(
    ["confirmed", "invited", "suppressed", "unsubscribed"].map((name) => [name, `${name}At`]),
  );
  const file = await text(exportFile(db, OPERATOR, { filter: {}, format: "jsonl" }));
  const lines = file.trim().split("\n");
  const exported: Record<string, string | null>[] = lines.map((line) => JSON.parse(line));
  for (const [name, filter] of Object.entries(filters)) {
    const people = await countMatching(db, filter);
    expect([name, people]).toEqual([name, counts[name as "confirmed"]]);
    expect((await readPeoplePage(db, filter, { limit: 100 })).people).toHaveLength(people);
    const column = files[name];
    if (column) expect([name, exported.filter((person) => person[column]).length]).toEqual([name, people]);
  }
  expect(counts).toMatchObject({
    confirmed: 16,
    invited: 16,
    suppressed: 16,
    newsletter: 16,
    unsubscribed: 8,
    waiting: 4,
  });
});

test("everyone who says whether a person may get an email says the same", async () => {
  await fill();
  const { db } = context;
  for (const kind of ["invitation", "announcement"] as const) {
    const { recipients, refused } = await splitAudience(db, { kind, audience: {} });
    expect([kind, recipients]).toEqual([kind, await countMatching(db, RECIPIENTS[kind])]);
    expect(refused).toMatchObject({ suppressed: await countMatching(db, { suppressed: true }) });
  }
  for (const { id } of (await readPeoplePage(db, {}, { limit: 100 })).people) {
    const person = await readPerson(db, id);
    if (!person) throw new Error("Missing");
    const isSuppressed = statusOf(person as never).name === "Suppressed";
    expect(await sendLink(db, MAIL_ON, OPERATOR, id)).toBe(isSuppressed ? "suppressed" : undefined);
  }
  expect(await countMatching(db, { suppressed: true })).toBe(16);
});
