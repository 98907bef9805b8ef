import { expect, test } from "vitest";
import { splitAudience } from "#core/messages/audience.ts";
import { splitOrEstimate } from "#core/messages/audience-estimate.ts";
import { countPeople } from "#core/people/people-count.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();

/** Every count takes longer than this. */
const MAX_MS = 1;

test("a list that takes too long to count is estimated to within 10%, and an empty audience as 0", async () => {
  await context.db.pool.query(`
    insert into sign_ups
      (email_key, email, first_name, last_name, newsletter, confirmed_at, rejected_at, invited_at, utm, answers)
    select address, address, 'Ada', 'Lovelace', number % 2 = 0, case when number % 5 > 0 then now() end,
      case when number % 7 = 0 then now() end, case when number % 3 = 0 then now() end,
      case when number % 11 < 5 then '{"campaign": "launch"}'::jsonb end,
      jsonb_build_object('1', array[1 + number % 4], '2', array[1 + number % 3, 4 + number % 5])
    from generate_series(1, 20000) as number, format('p%s@example.com', number) as address`);
  await context.db.pool.query("analyze sign_ups");
  for (const kind of ["announcement", "invitation"] as const) {
    const draft = { kind, audience: { campaign: "launch" } };
    const exact = await splitAudience(context.db, draft);
    const split = await splitOrEstimate(context.db, draft, MAX_MS);
    if (!("estimate" in split)) throw new Error("It was counted");
    const { matching, recipients } = split.estimate;
    expect(matching / exact.matching).toBeCloseTo(1, 1);
    expect(recipients / exact.recipients).toBeCloseTo(1, 1);
  }
  for (const filter of [{ confirmed: false }, { answer: "1:2,1:3,1:4" }, { answer: "1:1,2:1,2:5" }]) {
    const { people } = await countPeople(context.db, filter, 0);
    const count = await countPeople(context.db, filter, MAX_MS);
    expect(count.isEstimate).toBe(true);
    expect(count.people / people).toBeCloseTo(1, 1);
  }
  const nobody = await splitOrEstimate(context.db, { kind: "announcement", audience: { confirmed: false } }, MAX_MS);
  expect(nobody).toMatchObject({ estimate: { recipients: 0 } });
});
