import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import { type Filter, matches } from "./filter.ts";

export interface ListedPerson {
  email: string;
  firstName: string;
  lastName: string;
  company: string | null;
  newsletter: boolean;
  joinedAt: Date;
  invitedAt: Date | null;
}

export const LISTED_COLUMNS = sql`
  email, first_name as "firstName", last_name as "lastName", company, newsletter, joined_at as "joinedAt",
  invited_at as "invitedAt"`;

/** Newest first. */
export async function listPeople(db: Database, filter: Filter, limit: number): Promise<ListedPerson[]> {
  const { rows } = await sql<ListedPerson>`
    select ${LISTED_COLUMNS} from sign_ups where ${matches(filter)} order by id desc limit ${limit}`.execute(db);
  return rows;
}
