import { randomBytes } from "node:crypto";
import http from "node:http";
import https from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { IDEMPOTENCY_KEY_HEADER } from "#contract/sign-up.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { send } from "./http.ts";
import { Ledger } from "./ledger.ts";

export interface ClientOptions {
  count?: number;
  /** Whether a client reuses its connection instead of opening one per sign-up. */
  keepAlive?: boolean;
  /** Whether failed sign-ups are retried until acknowledged. Half of the clients then send no idempotency key. */
  retries?: boolean;
  /** How long a client pauses after a failed request. */
  pauseMs?: number;
  /** Rate of all clients together; by default, as fast as the servers respond. */
  perSecond?: number;
  /** Where everyone works; by default, at a few companies. */
  company?: string;
  /** How long a client waits for a response. */
  timeoutMs?: number;
}

/** Starts clients that send one sign-up after another, round-robin to the given origins, until they are stopped. */
export function startClients(origins: string[], options: ClientOptions = {}) {
  const { count = 32, keepAlive = true, retries = false, pauseMs = 20, timeoutMs = 30_000 } = options;
  const { perSecond = Number.POSITIVE_INFINITY } = options;
  const ledger = new Ledger();
  const { Agent } = origins[0]?.startsWith("https:") ? https : http;
  const agent = new Agent({ keepAlive, maxFreeSockets: 10_000 });
  const running: Promise<void>[] = [];
  const run = randomBytes(4).toString("hex");
  const intervalMs = (1000 * count) / perSecond;
  let isStopping = false;

  async function signUpRepeatedly(client: number): Promise<void> {
    let email = "";
    let key: string | undefined;
    let nextAt = performance.now() + (client / count) * intervalMs;
    for (let attempt = 0, isSettled = true; !isStopping; attempt += 1) {
      if (isSettled) {
        if (intervalMs > 0) await pause(Math.max(0, nextAt - performance.now()));
        // Doesn't catch up on sign-ups that an outage delayed, because catching up would raise the load.
        nextAt = Math.max(nextAt, performance.now()) + intervalMs;
        email = `visitor${client}.${attempt}.${run}@example.com`;
        key = !retries || client % 2 ? randomBytes(16).toString("hex") : undefined;
      }
      const sentAt = performance.now();
      ledger.waitingSince.set(client, sentAt);
      const status = await signUp(origins[(client + attempt) % origins.length] as string, email, key);
      ledger.waitingSince.delete(client);
      const at = performance.now();
      const isAcknowledged = status === 201 || (status === 409 && !key);
      if (isAcknowledged) ledger.acknowledged.add(email);
      ledger.entries.push({ at, ms: at - sentAt, status: isAcknowledged ? 201 : status });
      if (!isAcknowledged) await pause(pauseMs);
      isSettled = isAcknowledged || !retries;
    }
  }

  async function signUp(origin: string, email: string, key: string | undefined): Promise<number> {
    const body = JSON.stringify(aSignUp({ email, company: options.company ?? `Company ${email.length}` }));
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      ...(key && { [IDEMPOTENCY_KEY_HEADER]: key }),
    };
    return (await send(origin + WAITLIST_PATH, { method: "POST", agent, headers, timeout: timeoutMs }, body)).status;
  }

  const add = (more: number) => {
    for (let added = 0; added < more; added += 1) running.push(signUpRepeatedly(running.length));
  };
  add(count);
  return {
    ledger,
    add,
    async stop() {
      isStopping = true;
      await Promise.all(running);
      agent.destroy();
    },
  };
}
