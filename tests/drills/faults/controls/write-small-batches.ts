/**
 * Preloaded by a negative control: a server that writes as much at once as its queue may hold in the drill. Otherwise
 * an unbounded queue would make larger batches, and more throughput, instead of longer waits.
 */
import { changeSource } from "./change-source.ts";

changeSource("core/waitlist/join.ts", [["MAX_BATCH_SIZE = 1000", "MAX_BATCH_SIZE = 50"]]);
