import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildIndexes, readSearchEnd } from "#core/database/indexes.ts";
import type { Filter } from "#core/waitlist/filter.ts";
import { countPeople } from "#core/waitlist/people-count.ts";
import { readPeoplePage } from "#core/waitlist/people-page.ts";
import { emptyWaitlist } from "#tests/support/empty-waitlist.ts";
import { addMany } from "#tests/support/people.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();

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
    const row = { email_key: email, email, first_name: first, last_name: last, company, newsletter: false, ...values };
    const { id } = await context.db
      .insertInto("sign_ups")
      .values(row as never)
      .returning("id")
      .executeTakeFirstOrThrow();
    ids.push(id);
  }
  return ids;
}

/** Everyone who matches, however many requests it takes. */
async function read(filter: Filter, { limit = 100, maxRead = 100_000 } = {}): Promise<string[]> {
  const emails: string[] = [];
  let before: string | undefined;
  for (let requests = 0; requests < 1000; requests += 1) {
    const page = await readPeoplePage(context.db, filter, { before, limit, maxRead });
    emails.push(...page.people.map(({ email }) => email));
    if (!page.next) return emails;
    before = page.next;
  }
  throw new Error("It never ends");
}

beforeEach(() => emptyWaitlist(context.db));

test("each filter selects its people, newest first", async () => {
  const at = new Date("2026-05-01T10:00Z");
  const early = new Date("2026-01-15T12:00Z");
  const [, , , , , , left = ""] = await add(
    { email: "early@x.example", values: { joined_at: early } },
    { email: "confirmed@x.example", values: { confirmed_at: at } },
    { email: "invited@x.example", values: { invited_at: at, wave_id: 7 } },
    { email: "rejected@x.example", values: { rejected_at: at } },
    { email: "news@x.example", values: { newsletter: true } },
    { email: "ad@x.example", values: { utm: { source: "google", medium: "cpc", campaign: "spring" } } },
    { email: "left@x.example" },
    { email: "works@x.example", company: "ACME, Inc.", values: { company_key: "acme" } },
  );
  await sql`insert into consents (sign_up_id, wording_version, given) values (${left}, 2, false)`.execute(context.db);
  const alone: [Filter, string][] = [
    [{ confirmed: true }, "confirmed"],
    [{ invited: true }, "invited"],
    [{ wave: "7" }, "invited"],
    [{ wave: at }, "invited"],
    [{ rejected: true }, "rejected"],
    [{ newsletter: true }, "news"],
    [{ since: early, until: new Date("2026-01-16") }, "early"],
    [{ until: new Date("2026-02-01") }, "early"],
    [{ source: "google" }, "ad"],
    [{ medium: "cpc" }, "ad"],
    [{ campaign: "spring" }, "ad"],
    [{ unsubscribed: true }, "left"],
    [{ company: "Acme" }, "works"],
  ];
  for (const [filter, name] of alone) expect(await read(filter), JSON.stringify(filter)).toEqual([`${name}@x.example`]);
  expect(await read({ confirmed: false, invited: false, rejected: false, newsletter: false })).toEqual(
    ["works", "left", "ad", "early"].map((name) => `${name}@x.example`),
  );
  expect(await read({ unsubscribed: false })).toHaveLength(7);
  expect(await read({ since: new Date("2026-01-16") })).toHaveLength(7);
  expect(await read({ until: early })).toEqual([]);
  expect(await countPeople(context.db, { unsubscribed: true })).toEqual({ people: 1, isEstimate: true });
  expect(await countPeople(context.db, { source: "google" })).toEqual({
    people: 1000,
    isEstimate: true,
    isMaximum: true,
  });
  expect(await read({ wave: "7", confirmed: true })).toEqual([]);
});

describe.each([
  ["read from the list", false],
  ["found by the indexes", true],
])("search, %s", (_name, isIndexed) => {
  beforeAll(() => emptyWaitlist(context.db));

  const search = async (text: string) => {
    if (isIndexed) await buildIndexes(context.db, 0);
    expect((await readSearchEnd(context.db)) > 0).toBe(isIndexed);
    return read({ search: text });
  };

  test("finds the beginning of an address, a name or a company, in any case", async () => {
    await add(
      { email: "grace@navy.example", first: "Grace", last: "Hopper" },
      { email: "a@b.example", first: "Alan", last: "Gracefield" },
      { email: "c@d.example", first: "Mary", last: "Poe", company: "GRACE & Co." },
      { email: "e@f.example", first: "Disgrace", last: "Nobody" },
    );
    expect(await search("gRaCe")).toEqual(["c@d.example", "a@b.example", "grace@navy.example"]);
    expect(await search("grace hop")).toEqual(["grace@navy.example"]);
    expect(await search("  GRACE@NAVY  ")).toEqual(["grace@navy.example"]);
    expect(await search("grace &")).toEqual(["c@d.example"]);
  });

  test("takes percent, underscore and backslash literally", async () => {
    await add(
      { email: "a_b@x.example", company: "100% Wool" },
      { email: "axb@x.example", company: "1000 Wools" },
      { email: "c@x.example", company: "back\\slash" },
      { email: "d@x.example", company: "backslash" },
    );
    expect(await search("a_b")).toEqual(["a_b@x.example"]);
    expect(await search("100%")).toEqual(["a_b@x.example"]);
    expect(await search("back\\s")).toEqual(["c@x.example"]);
    expect(await search("%")).toEqual([]);
    expect(await search("'; drop table sign_ups; --")).toEqual([]);
  });

  test("finds names in other scripts, with bidirectional marks, and in capitals that the locale doesn't know", async () => {
    await add(
      { email: "a@x.example", first: "\u2067נועה\u2069", last: "כהן" },
      { email: "b@x.example", first: "Can", last: "ÖZTÜRK" },
      { email: "c@x.example", first: "Elif", last: "Öztürk" },
      { email: "d@bücher.example", first: "Jo", last: "Li", values: { email_key: "d@xn--bcher-kva.example" } },
    );
    expect(await search("כה")).toEqual(["a@x.example"]);
    expect(await search("\u2067נו")).toEqual(["a@x.example"]);
    expect(await search("öztü")).toEqual(["c@x.example", "b@x.example"]);
    expect(await search("d@bücher.example")).toEqual(["d@bücher.example"]);
  });

  test("applies the other filters too, and finds a company by any spelling", async () => {
    await add(
      { email: "a@x.example", company: "Acme Inc.", values: { company_key: "acme", newsletter: true } },
      { email: "b@x.example", company: "ACME", values: { company_key: "acme" } },
    );
    expect(await search("acme")).toHaveLength(2);
    expect(await read({ search: "acme", newsletter: true })).toEqual(["a@x.example"]);
    expect(await read({ company: "acme llc", newsletter: false })).toEqual(["b@x.example"]);
  });
});

test("people who joined after the indexes were built are found as well, before the others", async () => {
  await add({ email: "ada1@x.example" }, { email: "ada2@x.example" });
  await buildIndexes(context.db, 0);
  await add({ email: "ada3@x.example" }, { email: "ada4@x.example" });
  const expected = [4, 3, 2, 1].map((number) => `ada${number}@x.example`);
  for (const limit of [1, 2, 3, 100]) expect(await read({ search: "ada" }, { limit })).toEqual(expected);
  expect(await countPeople(context.db, { search: "ada" })).toEqual({ people: 2, isEstimate: true });
});

test("a rare match is found however few rows a request may read", async () => {
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

test("a part of the list is read again without the people who left it", async () => {
  const ids = await addMany(context.db, 5);
  await sql`delete from sign_ups where id = ${ids[2]}`.execute(context.db);
  const { people } = await readPeoplePage(context.db, {}, { before: ids[4], last: ids[1], limit: 3 });
  expect(people.map(({ id }) => id)).toEqual([ids[3], ids[1]]);
});

test("an index that an interrupted build left behind is built again", async () => {
  await sql`update pg_index set indisvalid = false where indexrelid = 'sign_ups_invited'::regclass`.execute(context.db);
  expect(await buildIndexes(context.db)).toEqual(["sign_ups_invited"]);
  expect(await buildIndexes(context.db)).toEqual([]);
});
