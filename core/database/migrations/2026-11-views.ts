import { type Kysely, sql } from "kysely";

/** Page views by hour and campaign, added up by the servers. Only counts: no column identifies a visitor. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table page_views (
      hour       timestamptz not null,
      -- Empty if the URL doesn't name it.
      source     text not null,
      medium     text not null,
      campaign   text not null,
      is_other   boolean not null check (not is_other or source || medium || campaign = ''),
      views      integer not null,
      is_partial boolean not null,
      primary key (hour, source, medium, campaign, is_other)
    )`.execute(db);
}
