import { setTimeout as pause } from "node:timers/promises";
import { STATS_PATH } from "#contract/paths.ts";
import { type Context, MAX_LATENCY_MS } from "./drill.ts";
import { send } from "./http.ts";

const INTERVAL_MS = 200;
const HASHED = /[\w-]+-[\w-]{8}\.(?:js|css|woff2)/g;

/** Checks that the page, its assets and the last good stats are served fast during the work. */
export async function checkReadsDuring(
  origin: string,
  { check, checkSpeed }: Pick<Context, "check" | "checkSpeed">,
  work: () => Promise<unknown>,
): Promise<void> {
  const failures: string[] = [];
  let slowestMs = 0;
  let state: "reading" | "over" = "reading";

  async function readAll(): Promise<void> {
    const paths = new Set(["/", STATS_PATH]);
    for (const path of paths) {
      const startedAt = performance.now();
      // Opens a new connection each time, because unlike a browser, send() doesn't retry on a closed one.
      const { status, text } = await send(origin + path, { agent: false });
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      if (status !== 200) failures.push(`${status} for ${path}`);
      for (const [name] of text.matchAll(HASHED)) paths.add(`/assets/${name}`);
    }
  }
  async function readRepeatedly(): Promise<void> {
    for (; state === "reading"; await pause(INTERVAL_MS)) await readAll();
  }

  const reading = readRepeatedly();
  try {
    await work();
  } finally {
    state = "over";
    await reading;
  }
  check(failures.length === 0, `${failures.length} reads of the page or the stats failed: ${failures.slice(0, 5)}`);
  checkSpeed(slowestMs < MAX_LATENCY_MS, `a read of the page or the stats took ${Math.round(slowestMs)} ms`);
}
