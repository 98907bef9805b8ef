/** Preloaded by a negative control: a server that starts its own counts only when Redis has failed. */
import { changeSource } from "./change-source.ts";

changeSource("server/http/rate-limits.ts", [
  ["const exceededHere = await local(request, options);", ""],
  [
    "if (Date.now() < skipRedisUntil) return exceededHere;",
    "if (Date.now() < skipRedisUntil) return local(request, options);",
  ],
  ["REDIS_COOLDOWN_MS;\n      return exceededHere;", "REDIS_COOLDOWN_MS;\n      return local(request, options);"],
]);
