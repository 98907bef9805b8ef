import { hash } from "node:crypto";
import rateLimit from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from "fastify";
import type { Redis } from "ioredis";
import { sendProblem } from "#core/http/problem.ts";
import type { Metrics } from "#core/service/metrics.ts";

export interface RateLimit {
  name: string;
  max: number;
  windowMs: number;
  keyOf: (request: FastifyRequest) => string;
}

export interface LimiterParts {
  limiter: {
    /** Shares counts between all instances. If omitted, each instance counts on its own. */
    redis?: Redis | undefined;
    /** Hashes the keys, so that neither memory nor Redis holds an address. */
    secret: Buffer;
  };
  metrics: Metrics;
}

interface Exceeded {
  retryAfterSeconds: number;
}

/** Counts a request, and returns how long to wait if it exceeds the limit. */
export type Limiter = (request: FastifyRequest) => Promise<Exceeded | undefined>;

/** With `increment: false`, only checks whether the request would exceed the limit, without counting it. */
type Counter = (request: FastifyRequest, options?: { increment: boolean }) => Promise<Exceeded | undefined>;

/** About 5 MB of memory per limit. Beyond that, the least recently used key is dropped and starts from zero. */
const MAX_TRACKED_KEYS = 20_000;

/** Circuit breaker: how long a failed Redis is skipped, because if it hangs, each visitor waits for a timeout. */
const REDIS_COOLDOWN_MS = 5000;

export async function createLimiter(
  app: FastifyInstance,
  limit: RateLimit,
  { limiter: { redis, secret }, metrics }: LimiterParts,
): Promise<Counter> {
  const prefix = `${secret.toString("base64url")} ${limit.name}`;
  // A secret prefix takes a fifth of an HMAC's time, and is enough because the hash only names a counter.
  const hashedKeyOf = (request: FastifyRequest) => hash("sha256", `${prefix} ${limit.keyOf(request)}`, "base64url");
  const local = await openCounter(app, limit, hashedKeyOf);
  const counter = redis ? withFallback(await openCounter(app, limit, hashedKeyOf, redis), local) : local;
  return async (request, options) => {
    const exceeded = await counter(request, options);
    if (exceeded) metrics.limited.inc({ bucket: limit.name });
    return exceeded;
  };
}

/**
 * Takes counters from the narrowest network to the widest. A wide network over its limit is refused before its clients
 * get keys in narrower counters; otherwise one /48, with its 65,536 clients, would evict everyone else's keys. Requests
 * that a narrower counter refuses don't count in the wider ones.
 */
export function inOrder(...counters: Counter[]): Limiter {
  const wider = counters.slice(1).reverse();
  return async (request) => {
    for (const counter of wider) {
      const exceeded = await counter(request, { increment: false });
      if (exceeded) return exceeded;
    }
    for (const counter of counters) {
      const exceeded = await counter(request);
      if (exceeded) return exceeded;
    }
    return undefined;
  };
}

export function enforce(limiter: Limiter): preHandlerAsyncHookHandler {
  return async (request, reply): Promise<FastifyReply | undefined> => {
    const exceeded = await limiter(request);
    return exceeded && sendTooManyRequests(reply, exceeded.retryAfterSeconds);
  };
}

export function sendTooManyRequests(reply: FastifyReply, retryAfterSeconds: number): FastifyReply {
  return sendProblem(reply.header("retry-after", retryAfterSeconds), 429);
}

/**
 * While Redis is down or hangs, each instance uses its own counts. Instances count all the time, so that no client
 * starts from zero on failover, and two instances together never allow more than twice the limit.
 */
function withFallback(shared: Counter, local: Counter): Counter {
  let skipRedisUntil = 0;
  return async (request, options) => {
    const exceededHere = await local(request, options);
    if (Date.now() < skipRedisUntil) return exceededHere;
    try {
      return await shared(request, options);
    } catch (reason) {
      if (Date.now() >= skipRedisUntil) request.log.warn(reason, "Redis failed; counting rate limits in this process");
      skipRedisUntil = Date.now() + REDIS_COOLDOWN_MS;
      return exceededHere;
    }
  };
}

/** Registers the plugin in a separate scope, because each scope has one store: in Redis if given, else in memory. */
async function openCounter(
  app: FastifyInstance,
  { max, windowMs }: RateLimit,
  keyGenerator: (request: FastifyRequest) => string,
  redis?: Redis,
): Promise<Counter> {
  const { promise, resolve } = Promise.withResolvers<Counter>();
  await app.register(async (scope) => {
    await scope.register(rateLimit, {
      global: false,
      max,
      timeWindow: windowMs,
      keyGenerator,
      cache: MAX_TRACKED_KEYS,
      redis,
      nameSpace: "farwatch:",
    });
    const check = scope.createRateLimit();
    resolve(async (request, options) => {
      const state = await check(request, options);
      if (state.isAllowed) return undefined;
      const isExceeded = options?.increment === false ? state.remaining === 0 : state.isExceeded;
      return isExceeded ? { retryAfterSeconds: state.ttlInSeconds } : undefined;
    });
  });
  return promise;
}
