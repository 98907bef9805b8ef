/** Preloaded by a negative control: a server that starts its own counts only when Redis has failed. */
import { changeSource } from "./change-source.ts";

changeSource("server/http/rate-limits.ts", [
  ["const local = await consumeLocal(request);", ""],
  ["if (Date.now() < skipRedisUntil) return local;", "if (Date.now() < skipRedisUntil) return consumeLocal(request);"],
  ["REDIS_COOLDOWN_MS;\n      return local;", "REDIS_COOLDOWN_MS;\n      return consumeLocal(request);"],
]);
