/** `npm run bench -- growth`: throughput of sign-ups and reads at 10 thousand, 1 million and 10 million rows. */

import { verifyTotals } from "#core/people/totals.ts";
import { fill } from "#tests/support/fill.ts";
import { forSeconds, runLoad } from "#tests/support/load.ts";
import { median } from "#tests/support/quantile.ts";
import { readStats, uniqueSignUps } from "#tests/support/requests.ts";
import { saveResults } from "#tests/support/results.ts";
import { rateOf } from "./rate-of.ts";
import { type Service, startService } from "./servers.ts";

const SIZES = [10_000, 1_000_000, 10_000_000];
const ROUNDS = 3;
const SECONDS = 5;

interface Waitlist {
  service: Service;
  /** Requests per second in each round. */
  posts: number[];
  reads: number[];
}

// Fills all lists first and then measures them in turns, so that a slow minute of the machine affects all of them.
const lists = new Map<number, Waitlist>();
for (const size of SIZES) {
  const service = await startService();
  const startedAt = performance.now();
  await fill(service.db, size);
  console.log(`Filled ${size.toLocaleString("en")} rows in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  lists.set(size, { service, posts: [], reads: [] });
}

const nextSignUp = uniqueSignUps(() => {});
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const { service, posts, reads } of lists.values()) {
    const post = await runLoad({ ports: service.ports, connections: 64, next: forSeconds(SECONDS, nextSignUp) });
    const read = await runLoad({ ports: service.ports, connections: 64, next: forSeconds(SECONDS, () => readStats) });
    // The first round is a warm-up.
    if (round > 0) posts.push(rateOf(201, post));
    if (round > 0) reads.push(rateOf(200, read));
    for (const [status, count] of [...post.statuses, ...read.statuses])
      if (status > 201) console.log(`${count} responses with ${status}, which don't count`);
  }
}

let isExact = true;
for (const { service } of lists.values()) {
  isExact &&= (await verifyTotals(service.db)).exact;
  await service.stop();
}

/** Each size's rate relative to the smallest size's, as the median over all rounds. */
function relative(ratesOf: (list: Waitlist) => number[]): Record<string, number> {
  const smallest = ratesOf(lists.get(SIZES[0] ?? 0) as Waitlist);
  return Object.fromEntries(
    [...lists].map(([size, list]) => [size, median(ratesOf(list).map((rate, round) => rate / (smallest[round] ?? 0)))]),
  );
}
const results = { post: relative(({ posts }) => posts), stats: relative(({ reads }) => reads) };
console.table(
  Object.fromEntries(
    [...lists].map(([size, { posts, reads }]) => [
      size.toLocaleString("en"),
      {
        "POST/s": Math.round(median(posts)),
        "POST ratio": Number(results.post[size]?.toFixed(2)),
        "GET/s": Math.round(median(reads)),
        "GET ratio": Number(results.stats[size]?.toFixed(2)),
      },
    ]),
  ),
);
console.log(isExact ? "Totals exact at every size" : "TOTALS ARE NOT EXACT");
await saveResults("growth", results);
process.exitCode = isExact ? 0 : 1;
