/**
 * `npm run bench -- phone [commit]`: the first seconds on a slow phone, compared with another commit's page. The
 * browser really throttles CPU and network, because a simulation misses round trips and the times of paints.
 */

import { median } from "#tests/support/quantile.ts";
import { builtReleaseAt, migrateWith, type Release } from "#tests/support/release.ts";
import { saveResults } from "#tests/support/results.ts";
import { chromiumOptions, chromiumWithoutWebgl } from "#tools/chromium.ts";
import { startServer } from "#tools/dev/running-site.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { FIGURES, type Visit, visitOnPhone } from "./phone-visit.ts";

const ROUNDS = 5;
const SITUATIONS = {
  "without WebGL": { launch: chromiumWithoutWebgl },
  "with WebGL in software": { launch: chromiumOptions },
  "script blocked": { launch: chromiumWithoutWebgl, isScriptBlocked: true },
};

const [commit = "HEAD"] = process.argv.slice(2);
const before = await start(builtReleaseAt(commit));
const after = await start({ folder: ".", remove() {} });
const results: Record<string, object> = {};
for (const [situation, options] of Object.entries(SITUATIONS)) {
  const visits = { before: [] as Visit[], after: [] as Visit[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    // Takes turns, because other work slows the machine down for minutes at a time.
    visits.before.push(await visitOnPhone(before.origin, options));
    visits.after.push(await visitOnPhone(after.origin, options));
  }
  const table = Object.fromEntries(FIGURES.map((figure) => [figure, compare(visits, figure)]));
  const elements = { before: largest(visits.before), after: largest(visits.after) };
  const requests = { before: requestsOf(visits.before), after: requestsOf(visits.after) };
  results[situation] = { ...table, elements, requests };
  console.log(`\n${situation}: medians of ${ROUNDS} rounds, in ms; before is ${commit.slice(0, 8)}`);
  console.table(table);
  console.log("Largest paint:", elements);
  for (const [version, list] of Object.entries(requests)) {
    console.log(`Requests ${version}`);
    console.table(list);
  }
}
await Promise.all([before.stop(), after.stop()]);
await saveResults("phone", { commit, ...results });

function compare(visits: { before: Visit[]; after: Visit[] }, figure: (typeof FIGURES)[number]) {
  const [old, current] = [visits.before, visits.after].map((all) => median(all.map((visit) => visit[figure])));
  const spread = visits.after.map((visit) => visit[figure]);
  return {
    before: rounded(old),
    after: rounded(current),
    min: rounded(Math.min(...spread)),
    max: rounded(Math.max(...spread)),
    ratio: old && current ? Number((current / old).toFixed(2)) : "",
  };
}

function largest(visits: Visit[]): string {
  return [...new Set(visits.map(({ largestElement }) => largestElement))].join(" or ");
}

/** The median start and end of each request. */
function requestsOf(visits: Visit[]) {
  const all = visits.flatMap(({ requests }) => requests);
  return [...new Set(all.map(({ path }) => path))]
    .map((path) => {
      const same = all.filter((request) => request.path === path);
      const [start, end] = (["start", "end"] as const).map((key) => rounded(median(same.map((one) => one[key]))));
      return { path, start, end };
    })
    .sort((one, other) => Number(one.start) - Number(other.start));
}

function rounded(value = Number.NaN): number | "" {
  return Number.isFinite(value) ? Number(value.toFixed(value < 1 ? 3 : 0)) : "";
}

async function start(release: Release) {
  const postgres = await startScratchPostgres();
  migrateWith(release, { DATABASE_URL: postgres.url });
  const server = await startServer({ DATABASE_URL: postgres.url }, [], release.folder);
  return {
    origin: server.origin,
    async stop() {
      await server.stop();
      await postgres.stop();
      release.remove();
    },
  };
}
