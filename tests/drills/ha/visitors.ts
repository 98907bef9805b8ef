import { setTimeout as pause } from "node:timers/promises";
import type { Ledger } from "#tests/drills/faults/clients.ts";
import { type Check, MAX_LATENCY_MS } from "#tests/drills/faults/drill.ts";
import { post } from "#tests/support/post.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const INTERVAL_MS = 200;

/** Signs visitors up during the fault: each is on the list, or is asked to come back, and soon. */
export async function checkVisitorsDuring(
  origin: string,
  ledger: Ledger,
  check: Check,
  work: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  const wrong = new Set<string>();
  async function visit(): Promise<void> {
    for (; !isOver; await pause(INTERVAL_MS)) {
      const signUp = aSignUp();
      const startedAt = performance.now();
      const { status, headers } = await post(origin, signUp);
      const ms = performance.now() - startedAt;
      if (status === 201) ledger.acknowledged.add(signUp.email);
      else if (status !== 503) wrong.add(`a sign-up got ${status}`);
      else if (!Number(headers.get("retry-after"))) wrong.add("a 503 had no Retry-After");
      if (ms > MAX_LATENCY_MS) wrong.add(`a sign-up took ${Math.round(ms)} ms, the limit is ${MAX_LATENCY_MS} ms`);
    }
  }
  const visits = visit();
  try {
    await work();
  } finally {
    isOver = true;
    await visits;
  }
  for (const failure of wrong) check(false, failure);
}
