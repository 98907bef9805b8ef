import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Filter } from "#core/people/filter.ts";
import { countPeople } from "#core/people/people-count.ts";
import { readPeoplePage } from "#core/people/people-page.ts";
import { derivedColumns } from "#core/people/person-columns.ts";
import { addMany } from "#tests/support/people.ts";
import { stored } from "#tests/support/sign-ups.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();

interface Row {
  email: string;
  first?: string;
  last?: string;
  company?: string;
  values?: Record<string, unknown>;
}

async function add(...people: Row[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { email, first = "Ada", last = "Lovelace", company = null, values = {} } of people) {
    const person = { ...stored(email), first_name: first, last_name: last, company };
    const row = { ...person, newsletter: false, ...derivedColumns(person), ...values };
    const { id } = await context.db
      .insertInto("sign_ups")
      .values(row as never)
      .returning("id")
      .executeTakeFirstOrThrow();
    ids.push(id);
  }
  return ids;
}

/** Reads everyone who matches, in as many requests as needed. */
async function read(filter: Filter, { limit = 100, maxRead = 100_000 } = {}): Promise<string[]> {
  const emails: string[] = [];
  for (let before: string | undefined; ; ) {
    const page = await readPeoplePage(context.db, filter, { before, limit, maxRead });
    emails.push(...page.people.map(({ email }) => email));
    if (!page.next) return emails;
    before = page.next;
  }
}

test("each filter selects its people, newest first", async () => {
  const at = new Date("2026-05-01T10:00Z");
  const early = new Date("2026-01-15T12:00Z");
  const [, , , , , , left = ""] = await add(
    { email: "early@x.example", values: { joined_at: early } },
    { email: "confirmed@x.example", values: { confirmed_at: at, answers: { 7: [2], 8: [1, 3] } } },
    { email: "invited@x.example", values: { invited_at: at, wave_id: 7 } },
    { email: "suppressed@x.example", values: { suppressed_at: at } },
    { email: "news@x.example", values: { newsletter: true } },
    {
      email: "ad@x.example",
      values: { utm: { source: "google", medium: "cpc", campaign: "spring" }, answers: { 7: [1] } },
    },
    { email: "left@x.example" },
    { email: "works@x.example", company: "ACME, Inc.", values: { joined_at: at } },
  );
  const deliver = (state: string, message: number) =>
    sql`insert into deliveries (message_id, sign_up_id, state) values (${message}, ${left}, ${state})`.execute(
      context.db,
    );
  await deliver("sent", 1);
  await deliver("skipped", 2);
  await sql`insert into consents (sign_up_id, wording_version, given) values (${left}, 2, false)`.execute(context.db);
  const cases: [Filter, string[]][] = [
    [{ confirmed: true }, ["confirmed"]],
    [{ invited: true }, ["invited"]],
    [{ wave: "7" }, ["invited"]],
    [{ wave: "7", confirmed: true }, []],
    [{ suppressed: true }, ["suppressed"]],
    [{ newsletter: true }, ["news"]],
    [{ since: early, until: new Date("2026-01-16") }, ["early"]],
    [{ until: early }, []],
    [{ source: "(none)", confirmed: true }, ["confirmed"]],
    [{ source: "qr\ngoogle", confirmed: false }, ["ad"]],
    [{ source: "google\n(none)", newsletter: true }, ["news"]],
    [{ medium: "email\ncpc", campaign: "spring\nlaunch" }, ["ad"]],
    [{ campaign: "(none)", medium: "cpc" }, []],
    [{ domain: "X.example", newsletter: true }, ["news"]],
    [{ domain: "y.example\n x.EXAMPLE", newsletter: true }, ["news"]],
    [{ domain: "example" }, []],
    [{ message: "1" }, ["left"]],
    [{ message: "2" }, []],
    [{ answer: "7:1,7:2" }, ["ad", "confirmed"]],
    [{ answer: "8:3,7:1,7:2" }, ["confirmed"]],
    [{ answer: "8:3", invited: true }, []],
    [{ unsubscribed: true }, ["left"]],
    [{ company: "Globex\nAcme llc\nn/a" }, ["works"]],
    [{ company: "n/a" }, []],
    [{ search: "acme", newsletter: true }, []],
    [{ confirmed: false, invited: false, suppressed: false, newsletter: false }, ["left", "ad", "works", "early"]],
  ];
  for (const [filter, names] of cases)
    expect(await read(filter), JSON.stringify(filter)).toEqual(names.map((name) => `${name}@x.example`));
  expect(await read({ unsubscribed: false })).toHaveLength(7);
  expect(await read({ since: new Date("2026-01-16") })).toHaveLength(7);
  expect(await countPeople(context.db, { unsubscribed: true })).toEqual({ people: 1 });
});

test("a filter that doesn't exist is refused, instead of matching everyone", async () => {
  await expect(read({ compnay: "Acme" } as Filter)).rejects.toThrow('There is no filter "compnay"');
});

describe("a search", () => {
  const search = (text: string) => read({ search: text });

  test("finds the beginning of any word of an address, a name or a company, in any order and case", async () => {
    await add(
      { email: "grace@navy.example", first: "Grace", last: "Hopper" },
      { email: "a@b.example", first: "Alan", last: "Gracefield" },
      { email: "c@d.example", first: "Mary", last: "Poe", company: "Freight & GRACE Co." },
      { email: "e@f.example", first: "Disgrace", last: "Nobody" },
    );
    expect(await search("gRaCe")).toEqual(["c@d.example", "a@b.example", "grace@navy.example"]);
    expect(await search("hop grace")).toEqual(["grace@navy.example"]);
    expect(await search("  GRACE@NAVY  ")).toEqual(["grace@navy.example"]);
    expect(await search("freightgr")).toEqual(["c@d.example"]);
    expect(await search("%")).toEqual([]);
  });

  test("looks inside words for a text that no word begins with, if asked, and says so", async () => {
    await add(
      { email: "grace@navy.example", last: "Hopper" },
      { email: "a_b@d.example", company: "Meridora Freight", values: { confirmed_at: new Date() } },
    );
    const inside = async (filter: Filter) => {
      const { people, isInside } = await readPeoplePage(context.db, filter, { limit: 9, insideMs: 2000 });
      return { emails: people.map(({ email }) => email), isInside };
    };
    expect(await inside({ search: " OPPE " })).toEqual({ emails: ["grace@navy.example"], isInside: true });
    expect(await inside({ search: "dora frei", confirmed: true })).toMatchObject({ emails: ["a_b@d.example"] });
    expect(await inside({ search: "dora", confirmed: false })).toMatchObject({ emails: [] });
    expect(await inside({ search: "_" })).toMatchObject({ emails: ["a_b@d.example"] });
    expect(await inside({ search: "hop" })).toMatchObject({ isInside: false });
    expect(await search("oppe")).toEqual([]);
  });

  test("finds a word that too many people have by reading the list", async () => {
    await sql`
      insert into sign_ups (email_key, email, first_name, last_name, newsletter, search_words)
      select address, address, 'Ada', 'Lovelace', false, 'ADA LOVELACE'
      from generate_series(1, 5500), concat('ada', generate_series, '@x.example') as address`.execute(context.db);
    expect(await read({ search: "lovel" }, { maxRead: 2000, limit: 500 })).toHaveLength(5500);
  });
});

test("a rare match is found even if a request may read only a few rows", async () => {
  await add({ email: "rare@x.example", values: { utm: { source: "billboard" } } });
  await addMany(context.db, 250);
  const first = await readPeoplePage(context.db, { source: "billboard" }, { limit: 10, maxRead: 100 });
  expect(first).toMatchObject({ people: [], next: expect.any(String), searchedTo: expect.any(Date) });
  expect(await read({ source: "billboard" }, { maxRead: 100 })).toEqual(["rare@x.example"]);
});

test("pages neither repeat nor skip anyone while people join", async () => {
  await addMany(context.db, 30);
  const seen: string[] = [];
  let before: string | undefined;
  for (let page = 0; page < 3; page += 1) {
    const { people, next } = await readPeoplePage(context.db, {}, { before, limit: 10 });
    seen.push(...people.map(({ email }) => email));
    before = next ?? undefined;
    await add({ email: `late${page}@x.example` });
  }
  expect(seen).toEqual(Array.from({ length: 30 }, (_, index) => `p${30 - index}@example.com`));
});
