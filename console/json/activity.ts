import { type ActivityQuery, readActivity } from "#core/activity/activity.ts";
import { describeActivity } from "#core/activity/activity-text.ts";
import type { Database } from "#core/database/connect.ts";

export async function readEntries(db: Database, query: ActivityQuery) {
  const { entries, next } = await readActivity(db, query);
  const shown = entries.map(({ id, at, actor, via, ...rest }) => {
    return { id, at, actor, via, phrases: describeActivity(rest) };
  });
  return { entries: shown, next };
}
