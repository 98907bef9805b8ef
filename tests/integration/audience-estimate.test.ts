import { expect, test } from "vitest";
import { splitAudience } from "#core/messages/audience.ts";
import { splitOrEstimate } from "#core/messages/audience-estimate.ts";
import { countPeople } from "#core/people/people-count.ts";
import { addMany } from "#tests/support/people.ts";
import { useEmptyList } from "#tests/support/test-database.ts";

const context = useEmptyList();

/** Too short for any count. */
const MAX_MS = 1;

test("a list that takes too long to count is estimated, within a tenth for a group that statistics know, or as nobody", async () => {
  await addMany(context.db, 20_000);
  await context.db.pool.query(`
    update sign_ups set
      newsletter = id % 2 = 0,
      confirmed_at = case when id % 5 > 0 then now() end,
      rejected_at = case when id % 7 = 0 then now() end,
      invited_at = case when id % 3 = 0 then now() end,
      utm = case when id % 11 < 5 then '{"campaign": "launch"}'::jsonb end`);
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
  const { people } = await countPeople(context.db, { confirmed: false });
  const count = await countPeople(context.db, { confirmed: false }, MAX_MS);
  expect(count.isEstimate).toBe(true);
  expect(count.people / people).toBeCloseTo(1, 1);
  const nobody = await splitOrEstimate(context.db, { kind: "announcement", audience: { confirmed: false } }, MAX_MS);
  expect(nobody).toMatchObject({ estimate: { recipients: 0 } });
});
