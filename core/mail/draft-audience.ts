import type { Database } from "#core/database/connect.ts";
import { type AudienceSplit, splitAudience } from "./audience.ts";
import type { Message } from "./messages.ts";

export interface DraftAudience {
  /** Everyone who gets it when it is sent. */
  recipients: number;
  /** Those of them who are in its audience already, because sending it was interrupted. */
  added: number;
  /** Everyone else. Null if the audience is complete. */
  split: AudienceSplit | null;
}

/** Who would get a draft. People whom an interrupted run invited are recipients too, although they count as invited. */
export async function readDraftAudience(
  db: Database,
  { kind, audience, preparedAt, progress }: Message,
): Promise<DraftAudience> {
  if (preparedAt) return { recipients: progress.pending, added: progress.pending, split: null };
  const added = kind === "invitation" ? progress.pending : 0;
  const { next } = audience;
  const rest = next === undefined ? audience : { ...audience, next: next - added };
  const split = await splitAudience(db, { kind, audience: rest });
  return { recipients: split.recipients + added, added, split };
}
