import { hash } from "node:crypto";
import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from "fastify";
import type { Redis } from "ioredis";
import type { Metrics } from "#core/metrics.ts";
import { problem, sendProblem } from "./problem.ts";

export interface Bucket {
  name: string;
  most: number;
  windowMs: number;
  /** Whose bucket a request draws from. */
  of: (request: FastifyRequest) => string;
}

export interface Counters {
  /** Counts for all instances together. Left out, each counts for itself. */
  redis?: Redis | undefined;
  /** Buckets are named by keyed hashes: neither memory nor Redis holds an address. */
  secret: Buffer;
}

type Take = (request: FastifyRequest) => Promise<{ over: boolean; seconds: number }>;

/** How many are told apart in memory, 10 MB of it; past that the one that was quiet for longest starts anew. */
const MAX_TRACKED_CLIENTS = 20_000;
/** How long Redis is left alone after it failed: asking a frozen one costs each visitor its time-out. */
const REST_MS = 5000;

/** A hook that answers 429 once a bucket is used up. */
export async function limit(
  app: FastifyInstance,
  bucket: Bucket,
  { redis, secret }: Counters,
  metrics: Metrics,
): Promise<preHandlerAsyncHookHandler> {
  const takeHere = await counter(app, bucket, secret);
  const take = redis ? whileItWorks(await counter(app, bucket, secret, redis), takeHere) : takeHere;
  return async (request, reply): Promise<FastifyReply | undefined> => {
    const { over, seconds } = await take(request);
    if (!over) return undefined;
    metrics.limited.inc({ bucket: bucket.name });
    return sendProblem(reply.header("retry-after", seconds), problem(429));
  };
}

/**
 * A Redis that is gone or frozen leaves each instance to itself. It has counted all along, so that nobody starts anew
 * when that happens: two instances together never let more than twice the limit through.
 */
function whileItWorks(takeShared: Take, takeHere: Take): Take {
  let restingUntil = 0;
  return async (request) => {
    const here = await takeHere(request);
    if (Date.now() < restingUntil) return here;
    try {
      return await takeShared(request);
    } catch (reason) {
      if (Date.now() >= restingUntil) request.log.warn(reason, "Redis failed; limits are counted here for a while");
      restingUntil = Date.now() + REST_MS;
      return here;
    }
  };
}

/** The client's address: an IPv6 one by its /64, which is what one household or machine has. */
export function clientAddress(request: FastifyRequest): string {
  return normalizeIP(request.ip, 64);
}

/** In a scope of its own, because the plugin has one store for each scope. */
async function counter(app: FastifyInstance, bucket: Bucket, secret: Buffer, redis?: Redis): Promise<Take> {
  const { promise, resolve } = Promise.withResolvers<Take>();
  const prefix = `${secret.toString("base64url")} ${bucket.name}`;
  await app.register(async (scope) => {
    await scope.register(rateLimit, {
      global: false,
      max: bucket.most,
      timeWindow: bucket.windowMs,
      cache: MAX_TRACKED_CLIENTS,
      // A prefix where one would expect an HMAC: the key only names a bucket, and this takes a fifth of the time.
      keyGenerator: (request) => hash("sha256", `${prefix} ${bucket.of(request)}`, "base64url"),
      ...(redis && { redis, nameSpace: "farwatch:" }),
    });
    const check = scope.createRateLimit();
    resolve(async (request) => {
      const state = await check(request);
      return state.isAllowed ? { over: false, seconds: 0 } : { over: state.isExceeded, seconds: state.ttlInSeconds };
    });
  });
  return promise;
}
