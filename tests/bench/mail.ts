/** `npm run bench -- mail`: sign-ups a second with mail on, as a ratio to the same with mail off, measured in turns. */

import { drive, forSeconds } from "#tests/support/load.ts";
import { median } from "#tests/support/quantile.ts";
import { newcomers } from "#tests/support/requests.ts";
import { saveResults } from "#tests/support/results.ts";
import { startScratchSmtp } from "#tests/support/scratch-smtp.ts";
import { type Service, startService } from "./servers.ts";

const ROUNDS = 6;
const SECONDS = 5;

const smtp = await startScratchSmtp();
const without = await startService();
const withMail = await startService({
  SMTP_URL: smtp.url,
  SECRET: "x".repeat(32),
  PUBLIC_ORIGIN: "https://farwatch.example",
});
let acknowledged = 0;
const newcomer = newcomers(() => {
  acknowledged += 1;
});
async function rateOf({ ports }: Service, connections: number, instances: number, seconds = SECONDS): Promise<number> {
  const next = forSeconds(seconds, newcomer);
  return (await drive({ ports: ports.slice(0, instances), connections, next })).perSecond;
}

// Code that has not been optimised yet says nothing.
for (const service of [without, withMail]) await rateOf(service, 64, 2, 10);

const arrangements = [
  { connections: 64, instances: 1, ratios: [] as number[] },
  { connections: 256, instances: 2, ratios: [] as number[] },
];
for (let round = 0; round < ROUNDS; round += 1) {
  for (const { connections, instances, ratios } of arrangements) {
    const rates = new Map<Service, number>();
    // In turns also as to which is first.
    for (const service of round % 2 ? [without, withMail] : [withMail, without]) {
      rates.set(service, await rateOf(service, connections, instances));
    }
    ratios.push((rates.get(withMail) ?? 0) / (rates.get(without) ?? 0));
  }
}
await Promise.all([without.stop(), withMail.stop()]);
await smtp.stop();

const rounded = (ratio: number) => Number(ratio.toFixed(2));
const table = Object.fromEntries(
  arrangements.map(({ connections, instances, ratios }) => [
    `${connections} on ${instances}`,
    { ratio: rounded(median(ratios)), min: rounded(Math.min(...ratios)), max: rounded(Math.max(...ratios)) },
  ]),
);
console.table(table);
console.log(`${acknowledged} acknowledged; ${smtp.mails.length} mails sent meanwhile`);
await saveResults("bench-mail", table);
