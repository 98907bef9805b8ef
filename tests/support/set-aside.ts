import type { Database } from "#core/database/connect.ts";
import { bringBack, previewSetAside, readSetAside, setAside } from "#core/members/set-aside.ts";
import type { Filter } from "#core/people/filter.ts";
import { OPERATOR } from "./an-operator.ts";

/** Sets everyone who matches aside, and returns a function that brings them back. */
export async function setAllAside(db: Database, filter: Filter = {}, withConfirmed = true) {
  const { upTo } = await previewSetAside(db, filter);
  await setAside(db, OPERATOR, { filter, upTo, withConfirmed });
  const [{ id = "" } = {}] = await readSetAside(db);
  return () => bringBack(db, OPERATOR, id);
}

/** Makes everyone who is set aside look as if that were this long ago, which no role may do. */
export async function ageSetAside(db: Database, interval: string): Promise<void> {
  await db.pool.query(`
    alter table sign_ups disable trigger set_aside_now, disable trigger set_aside_recorded;
    update sign_ups set set_aside_at = set_aside_at - interval '${interval}';
    alter table sign_ups enable trigger set_aside_now, enable trigger set_aside_recorded`);
}
