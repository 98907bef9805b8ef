import { type Service, startService } from "#tests/bench/servers.ts";
import { forSeconds, runLoad } from "#tests/support/load.ts";
import { median } from "#tests/support/quantile.ts";
import { uniqueSignUps } from "#tests/support/requests.ts";
import { startSmtpServer } from "#tools/dev/smtp-server.ts";

const CONNECTIONS = 64;
const TURN_S = 0.8;
const WARM_UP_S = 4;

/** Sign-up throughput with mail on relative to mail off, measured in turns on two services. */
export async function measurePosts(turns: number): Promise<number> {
  const smtp = await startSmtpServer({ onMail: async () => {} });
  const withoutMail = await startService();
  const withMail = await startService({
    SECRET: "an example secret of 32 characters",
    PUBLIC_ORIGIN: "https://farwatch.example",
    SMTP_URL: smtp.url,
  });
  const next = uniqueSignUps(() => {});
  async function measure({ ports }: Service, seconds: number): Promise<number> {
    const load = { ports: ports.slice(0, 1), connections: CONNECTIONS, next: forSeconds(seconds, next) };
    const { perSecond, statuses } = await runLoad(load);
    if (statuses.size !== 1 || !statuses.has(201)) throw new Error(`Not only 201: ${[...statuses].join("; ")}`);
    return perSecond;
  }

  // Warm-up, so that V8 optimizes the code.
  for (const service of [withoutMail, withMail]) await measure(service, WARM_UP_S);
  const ratios: number[] = [];
  for (let turn = 0; turn < 3 * turns; turn += 1) {
    const rates = new Map<Service, number>();
    for (const service of turn % 2 ? [withoutMail, withMail] : [withMail, withoutMail]) {
      rates.set(service, await measure(service, TURN_S));
    }
    ratios.push((rates.get(withMail) ?? 0) / (rates.get(withoutMail) ?? 0));
  }
  await Promise.all([withoutMail.stop(), withMail.stop()]);
  await smtp.stop();
  console.log(`sign-ups with mail: ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`);
  return median(ratios);
}
