import { expect, test, vi } from "vitest";
import type { PersonColumns } from "#core/database/tables.ts";
import { countOutdated, repairOutdated } from "#core/members/verify-derived.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { addPeople } from "#tests/support/people.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

// Changes the rule, so that one more of the form's fields is searchable.
vi.mock("#core/people/person-columns.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("#core/people/person-columns.ts")>();
  const derivedColumns = (person: PersonColumns) => {
    const { search_words, ...keys } = original.derivedColumns(person);
    return { ...keys, search_words: `${search_words} NEWS=${person.newsletter}` };
  };
  return { ...original, derivedColumns };
});
const context = useEmptyList();

test("a rule that reads another of the form's fields is verified and repaired with that field", async () => {
  await addPeople(context.db, [{ email: "ada@x.com" }, { email: "bob@x.com", newsletter: false }]);
  const none = { email_key: 0, company_key: 0, search_words: 0, refused: [] };
  expect(await countOutdated(context.db)).toEqual({ ...none, search_words: 2 });
  await repairOutdated(context.db, OPERATOR);
  expect(await countOutdated(context.db)).toEqual(none);
  const { rows } = await context.db.pool.query("select search_words::text from sign_ups order by id");
  expect(rows.map(({ search_words }) => /NEWS=\w+/.exec(search_words)?.[0])).toEqual(["NEWS=true", "NEWS=false"]);
});
