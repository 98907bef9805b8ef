import type { Database } from "#core/database/connect.ts";
import { countMatching, type Filter } from "./filter.ts";
import { readTotals } from "./totals.ts";

export interface PeopleCount {
  people: number;
}

export async function countPeople(db: Database, filter: Filter): Promise<PeopleCount> {
  const isEveryone = Object.values(filter).every((value) => value === undefined);
  return { people: isEveryone ? (await readTotals(db.pool)).totalUsers : await countMatching(db, filter) };
}
