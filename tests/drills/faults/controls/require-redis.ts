/** Preloaded by a negative control: a server whose rate limits fail with Redis. */
import { changeSource } from "./change-source.ts";

changeSource("server/http/rate-limits.ts", [["skipRedisUntil = Date.now() + REDIS_COOLDOWN_MS;", "throw reason;"]]);
