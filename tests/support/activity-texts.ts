import { readActivity } from "#core/activity.ts";
import { describeActivity } from "#core/activity-text.ts";
import type { Database } from "#core/database/connect.ts";

/** What was done, newest first, with # for ids that differ from run to run. */
export async function readTexts(db: Database): Promise<string[]> {
  const { entries } = await readActivity(db, { limit: 100 });
  return entries.map((entry) => {
    const { before, person, after } = describeActivity(entry);
    return [before, person, after]
      .filter(Boolean)
      .join(" ")
      .replace(/(wave|message) \d+/g, "$1 #");
  });
}
