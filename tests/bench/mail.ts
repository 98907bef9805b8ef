/** `npm run bench -- mail`: throughput of sign-ups with mail on, relative to mail off, measured in turns. */

import { forSeconds, runLoad } from "#tests/support/load.ts";
import { median } from "#tests/support/quantile.ts";
import { uniqueSignUps } from "#tests/support/requests.ts";
import { saveResults } from "#tests/support/results.ts";
import { startScratchSmtp } from "#tests/support/scratch-smtp.ts";
import { type Service, startService } from "./servers.ts";

const ROUNDS = 6;
const SECONDS = 5;

const smtp = await startScratchSmtp();
const withoutMail = await startService();
const withMail = await startService({
  SMTP_URL: smtp.url,
  SECRET: "an example secret of 32 characters",
  PUBLIC_ORIGIN: "https://farwatch.example",
});
let acknowledged = 0;
const nextSignUp = uniqueSignUps(() => {
  acknowledged += 1;
});
async function signUpRate(
  { ports }: Service,
  connections: number,
  instances: number,
  seconds = SECONDS,
): Promise<number> {
  const next = forSeconds(seconds, nextSignUp);
  return (await runLoad({ ports: ports.slice(0, instances), connections, next })).perSecond;
}

// Warm-up, until V8 has optimized the code.
for (const service of [withoutMail, withMail]) await signUpRate(service, 64, 2, 10);

const configurations = [
  { connections: 64, instances: 1, ratios: [] as number[] },
  { connections: 256, instances: 2, ratios: [] as number[] },
];
for (let round = 0; round < ROUNDS; round += 1) {
  for (const { connections, instances, ratios } of configurations) {
    const rates = new Map<Service, number>();
    // Alternates which one goes first.
    for (const service of round % 2 ? [withoutMail, withMail] : [withMail, withoutMail]) {
      rates.set(service, await signUpRate(service, connections, instances));
    }
    ratios.push((rates.get(withMail) ?? 0) / (rates.get(withoutMail) ?? 0));
  }
}
await Promise.all([withoutMail.stop(), withMail.stop()]);
await smtp.stop();

const rounded = (ratio: number) => Number(ratio.toFixed(2));
const table = Object.fromEntries(
  configurations.map(({ connections, instances, ratios }) => [
    `${connections} on ${instances}`,
    { ratio: rounded(median(ratios)), min: rounded(Math.min(...ratios)), max: rounded(Math.max(...ratios)) },
  ]),
);
console.table(table);
console.log(`${acknowledged} sign-ups acknowledged, ${smtp.mails.length} mails sent`);
await saveResults("bench-mail", table);
