import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { readSearchEnd } from "#core/database/indexes.ts";
import { companyCondition, type Filter, searchConditions } from "./filter.ts";

/** Beyond so many, reading the list from its newest end fills a page sooner. */
const MAX_FOUND = 5000;

export interface Found {
  /** The newest first. */
  ids: string[];
  /** The indexes know nobody with a higher id. */
  end: number;
}

/** Who matches the search and the company by the indexes. Undefined if the filter has neither, or too many match. */
export async function findByIndex(db: Database, { search, company }: Filter): Promise<Found | undefined> {
  if (!search && company === undefined) return undefined;
  const conditions = search ? searchConditions(search) : [companyCondition(company ?? "")];
  const end = await readSearchEnd(db);
  if (end === 0) return undefined;
  const ids = new Set<string>();
  // One by one, because PostgreSQL would read the whole list rather than several indexes.
  for (const condition of conditions) {
    const { rows } = await sql<{ id: string }>`
      select id from sign_ups where id <= ${end} and ${condition} limit ${MAX_FOUND + 1}`.execute(db);
    for (const { id } of rows) ids.add(id);
    if (ids.size > MAX_FOUND) return undefined;
  }
  return { ids: [...ids].sort((a, b) => Number(b) - Number(a)), end };
}
