import { Redis } from "ioredis";

/**
 * For rate limits. Counts may be lost, but every sign-up waits for Redis, so commands fail at once without a
 * connection, and otherwise time out after a tenth of a second.
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
