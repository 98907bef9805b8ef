import { Redis } from "ioredis";

/**
 * Counters that may be lost, asked for in the middle of a visitor's request: so nothing waits for a connection, and an
 * answer that takes longer than a tenth of a second is no answer.
 */
export function openRedis(url: string, onError: (reason: Error) => void): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 100,
    connectTimeout: 1000,
    enableAutoPipelining: true,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
  });
  return redis.on("error", onError);
}
