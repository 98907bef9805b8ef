import type { Database } from "#core/database/connect.ts";
import { type Chunk, retryTransient, withinTime } from "#core/database/transaction.ts";
import { type Actor, type NewActivity, recordActivity } from "./activity.ts";

/** A change to many people: one entry in the activity, with the sum of its chunks. */
export interface Operation extends Omit<NewActivity, "count" | "continues" | "person"> {
  actor: Actor;
  /** The entry's id, once the first chunk is committed. */
  id?: string | undefined;
}

export interface Changed {
  count: number;
  /** People whose own activity shows the change, too. */
  people?: string[];
}

export const MAX_CHUNK_SIZE = 1000;
const FIRST_CHUNK_SIZE = 100;
/** Sign-ups wait for a chunk's locks, and fail after 1.2 seconds. */
const CHUNK_MS = 50;
/** A statement that takes longer is rolled back, and its chunk halved. */
const MAX_STATEMENT_MS = 200;

/**
 * The only way to change a set of people: in chunks, each a transaction, as large as fits the time. `pages` reads items
 * without locking anyone, and `change` locks those that still match. Interrupting it keeps the committed chunks.
 */
export async function changeMany<Item, Done extends Changed>(
  db: Database,
  operation: Operation | undefined,
  pages: Iterable<Item[]> | AsyncIterable<Item[]>,
  change: (chunk: Chunk, items: Item[]) => Promise<Done>,
  onChanged: (done: Done) => void = () => {},
): Promise<number> {
  let size = FIRST_CHUNK_SIZE;
  let changed = 0;
  const changeChunk = async (chunk: Chunk, items: Item[]) => {
    const done = await change(chunk, items);
    return { done, id: operation && (await recordChunk(chunk, operation, done)) };
  };
  for await (const page of pages) {
    for (let start = 0; start < page.length; ) {
      const items = page.slice(start, start + size);
      const startedAt = performance.now();
      // Many attempts, because sign-ups keep locking the same companies. One item may take as long as it needs.
      const maxMs = items.length > 1 ? MAX_STATEMENT_MS : 0;
      const work = () => withinTime(db, (transaction) => changeChunk(transaction as Chunk, items), maxMs);
      const committed = await retryTransient(work, 100);
      const ms = performance.now() - startedAt;
      if (!committed || ms > CHUNK_MS) size = Math.max(1, items.length >> 1);
      else if (ms < CHUNK_MS / 2) size = Math.min(MAX_CHUNK_SIZE, size * 2);
      if (!committed) continue;
      start += items.length;
      // Set after the commit, because a transaction that is rolled back leaves no entry to continue.
      if (operation) operation.id = committed.id;
      changed += committed.done.count;
      onChanged(committed.done);
    }
  }
  return changed;
}

async function recordChunk(chunk: Chunk, { actor, id, ...entry }: Operation, { count, people = [] }: Changed) {
  const continues = await recordActivity(chunk, actor, { ...entry, count, continues: id });
  if (people.length > 0) await recordActivity(chunk, actor, { ...entry, person: people, continues });
  return continues;
}
