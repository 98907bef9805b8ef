import { sql } from "kysely";
import type { Database } from "#core/database/connect.ts";
import type { MailOn } from "#core/mail/switch.ts";

/** Long enough for operators to notice a surge: the alert fires after a minute. */
const HOLD_MINUTES = 10;

/** Holds confirmation mail back on all servers and workers. Nothing is lost, because due mail stays due. */
export async function holdMail(db: Database, _mail: MailOn): Promise<void> {
  await sql`
    insert into mail_hold as held (until) values (now() + make_interval(mins => ${HOLD_MINUTES}))
    on conflict (only_row) do update set until = greatest(held.until, excluded.until)`.execute(db);
}
