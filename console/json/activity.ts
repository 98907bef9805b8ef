import { type Activity, type ActivityQuery, readActivity } from "#core/activity/activity.ts";
import { describeActivity } from "#core/activity/activity-text.ts";
import type { Database } from "#core/database/connect.ts";

export async function readEntries(db: Database, query: ActivityQuery) {
  const { entries, next } = await readActivity(db, query);
  return { entries: entries.map(toEntry), next };
}

function toEntry(entry: Activity) {
  const { id, at, actor, via } = entry;
  return { id, at, actor, via, phrases: describeActivity(entry) };
}
