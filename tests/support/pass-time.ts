import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";

/** As if all mail had been sent or put off that many minutes earlier, and every address rejected or confirmed. */
export async function passMinutes(db: Database, minutes: number): Promise<void> {
  const ago = sql`make_interval(mins => ${minutes})`;
  const { rows } = await sql<{ table: string; column: string; isArray: boolean }>`
    select table_name as table, column_name as column, data_type = 'ARRAY' as "isArray"
    from information_schema.columns
    where table_name in ('deliveries', 'mailboxes') and udt_name in ('timestamptz', '_timestamptz')`.execute(db);
  for (const [table, columns = []] of Map.groupBy(rows, (row) => row.table)) {
    const changes = columns.map(({ column, isArray }) => {
      const name = sql.ref(column);
      return isArray
        ? sql`${name} = array(select at - ${ago} from unnest(${name}) as at order by at desc)`
        : sql`${name} = ${name} - ${ago}`;
    });
    await sql`update ${sql.table(table)} set ${sql.join(changes)}`.execute(db);
  }
  await sql`
    update sign_ups set rejected_at = rejected_at - ${ago}, confirmed_at = confirmed_at - ${ago}
    where rejected_at is not null or confirmed_at is not null`.execute(db);
}
