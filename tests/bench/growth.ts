/** `npm run bench -- growth`: the same sign-ups and reads on a list of 10 thousand, 1 million and 10 million. */

import { verifyTotals } from "#core/waitlist/totals.ts";
import { fill } from "#tests/support/fill.ts";
import { drive, forSeconds } from "#tests/support/load.ts";
import { median } from "#tests/support/quantile.ts";
import { newcomers, readStats } from "#tests/support/requests.ts";
import { saveResults } from "#tests/support/results.ts";
import { type Service, startService } from "./servers.ts";

const SIZES = [10_000, 1_000_000, 10_000_000];
const ROUNDS = 3;
const SECONDS = 5;

interface Grown {
  service: Service;
  /** A second, round by round. */
  posts: number[];
  reads: number[];
}

// One after the other, filled to its size; then turns are taken, so that a slow minute of the machine is everybody's.
const lists = new Map<number, Grown>();
for (const size of SIZES) {
  const service = await startService();
  const began = performance.now();
  await fill(service.db, size);
  console.log(`${size.toLocaleString("en")} on the list after ${Math.round((performance.now() - began) / 1000)} s`);
  lists.set(size, { service, posts: [], reads: [] });
}

const newcomer = newcomers(() => {});
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const { service, posts, reads } of lists.values()) {
    const post = await drive({ ports: service.ports, connections: 64, next: forSeconds(SECONDS, newcomer) });
    const read = await drive({ ports: service.ports, connections: 64, next: forSeconds(SECONDS, () => readStats) });
    // The first round warms up.
    if (round > 0) posts.push(post.perSecond);
    if (round > 0) reads.push(read.perSecond);
  }
}

let isExact = true;
for (const { service } of lists.values()) {
  isExact &&= (await verifyTotals(service.db)).exact;
  await service.stop();
}

/** Each size relative to the first, round by round; the median of those. */
function relative(of: (grown: Grown) => number[]): Record<string, number> {
  const first = of(lists.get(SIZES[0] ?? 0) as Grown);
  return Object.fromEntries(
    [...lists].map(([size, grown]) => [size, median(of(grown).map((value, round) => value / (first[round] ?? 0)))]),
  );
}
const results = { post: relative(({ posts }) => posts), stats: relative(({ reads }) => reads) };
console.table(
  Object.fromEntries(
    [...lists].map(([size, { posts, reads }]) => [
      size.toLocaleString("en"),
      {
        "POST/s": Math.round(median(posts)),
        "of the first": Number(results.post[size]?.toFixed(2)),
        "GET/s": Math.round(median(reads)),
        "of the first ": Number(results.stats[size]?.toFixed(2)),
      },
    ]),
  ),
);
console.log(isExact ? "Totals exact at every size" : "TOTALS ARE NOT EXACT");
await saveResults("growth", results);
process.exitCode = isExact ? 0 : 1;
