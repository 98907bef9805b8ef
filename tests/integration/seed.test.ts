import { expect, test } from "vitest";
import { readWaveResults } from "#core/invitations/wave-results.ts";
import { readMailStatus } from "#core/mail/queue/status.ts";
import { countOutdated } from "#core/members/verify-derived.ts";
import { readCounts } from "#core/overview/count.ts";
import { countFunnel } from "#core/overview/funnel.ts";
import { verifyTotals } from "#core/people/totals.ts";
import { verifyConsents } from "#core/sign-ups/verify-consents.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { seed } from "#tools/dev/seed/seed.ts";

const context = useTestDatabase();

test("a seeded list has exact totals, a consistent consent ledger and people in every state, and isn't seeded again", async () => {
  const { db } = context;
  await seed(db, 600);
  const { exact, kept } = await verifyTotals(db);
  expect(exact).toBe(true);
  expect(kept.totalUsers).toBe(600);
  expect(kept.companiesInterested).toBeGreaterThan(50);
  expect(await verifyConsents(db)).toEqual({ orphans: 0, withoutWording: 0, contradictions: 0 });
  expect(await countOutdated(db)).toMatchObject({ search_words: 0 });

  const { erased, ...counts } = await readCounts(db);
  expect(erased).toBe(0);
  for (const [state, people] of Object.entries(counts)) expect(people, state).toBeGreaterThan(0);
  const { hasPartialViews, ...funnel } = await countFunnel(db, "all");
  expect(hasPartialViews).toBe(false);
  for (const [step, count] of Object.entries(funnel)) expect(count, step).toBeGreaterThan(0);
  expect(funnel.joined / funnel.views).toBeGreaterThan(0.05);
  expect(funnel.joined / funnel.views).toBeLessThan(0.1);
  const { rates, lastMonth } = await readMailStatus(db);
  expect(lastMonth.mails).toBeGreaterThan(lastMonth.bounced);
  expect(rates.bounces).toBeGreaterThan(0);
  expect((await readWaveResults(db, 10)).map(({ id }) => id)).toEqual(["3", "2", "1"]);
  await expect(seed(db, 10)).rejects.toThrow("needs an empty list");
});
