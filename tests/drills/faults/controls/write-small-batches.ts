/**
 * Preloaded by a negative control: a server with an unbounded queue that writes as much at once as the queue may hold in
 * the drill. Otherwise it would make larger batches, and more throughput, instead of longer waits.
 */
import { changeSource } from "./change-source.ts";

changeSource("server/main.ts", [["MAX_WAITING = 10_000", "MAX_WAITING = 1_000_000_000"]]);
changeSource("core/sign-ups/join.ts", [["MAX_BATCH_SIZE = 1000", "MAX_BATCH_SIZE = 50"]]);
