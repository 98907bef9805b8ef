import { type Actor, recordActivity } from "#core/activity/activity.ts";
import type { Database } from "#core/database/connect.ts";

/** Far more than anyone reads on a screen. */
const MAX_PEOPLE_PER_HOUR = 20_000;
const RECORDED_PEOPLE = 1000;

/** Counts whom each operator saw in this hour, because paging through the whole list or all ids is an export. */
export function createReadLog(db: Database) {
  let hour = 0;
  const shown = new Map<string, Set<string>>();
  /** Records each 1,000 people. Returns undefined once the operator has read too many. */
  return async <Page extends { people: { id: string }[] }>(actor: Actor, read: () => Promise<Page>) => {
    const now = Math.floor(Date.now() / 3_600_000);
    if (now !== hour) shown.clear();
    hour = now;
    const ids = shown.getOrInsert(actor.name, new Set());
    if (ids.size >= MAX_PEOPLE_PER_HOUR) return undefined;
    const page = await read();
    const before = Math.floor(ids.size / RECORDED_PEOPLE);
    for (const { id } of page.people) ids.add(id);
    const count = (Math.floor(ids.size / RECORDED_PEOPLE) - before) * RECORDED_PEOPLE;
    await recordActivity(db, actor, { action: "read", count });
    return page;
  };
}
