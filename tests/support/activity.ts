import { readActivity } from "#core/activity/activity.ts";
import { describeActivity } from "#core/activity/activity-text.ts";
import type { Database } from "#core/database/connect.ts";

/** The activity's sentences, newest first. */
export async function sentences(db: Database, query: { person?: string | undefined } = {}): Promise<string[]> {
  const { entries } = await readActivity(db, { limit: 100, ...query });
  return entries.map((entry) => describeActivity(entry).reduce((all, { text }) => all + text, ""));
}
