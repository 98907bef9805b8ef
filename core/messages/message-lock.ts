import type { Kysely, Selectable } from "kysely";
import type { Tables } from "#core/database/tables.ts";
import type { Kind } from "#core/mail/recipients.ts";
import type { Invalid } from "#core/mail/rendering/placeholders.ts";

export type StoredState = Selectable<Tables["messages"]>["state"];
/** A message that is scheduled is stored as sending, with a start in the future. */
export type MessageState = StoredState | "scheduled";

/** The message's state doesn't allow the action, or the message doesn't exist. */
export function illegal(action: string, id: string, state: string | undefined) {
  const detail = `Can't ${action} a message that ${state ? `is ${state}` : "doesn't exist"}.`;
  return { refused: "illegal" as const, detail, id, state };
}

/** Why nothing was changed. */
export type Refusal = Invalid | ReturnType<typeof illegal>;

export const NEWER = "newer than the one you read, because someone edited it";

/** Locks a message until the transaction ends, so that it is checked before anything is written. */
export async function lockMessage(
  transaction: Kysely<Tables>,
  id: string,
  kinds: Kind[] = ["invitation", "announcement"],
) {
  const stored = transaction.selectFrom("messages").where("id", "=", id).where("kind", "in", kinds).forNoKeyUpdate();
  const message = await stored.select(["state", "version", "preparing_since", "prepared_at"]).executeTakeFirst();
  const isPrepared = message?.state !== "draft" || message.prepared_at;
  return message && { ...message, state: isPrepared ? message.state : ("not prepared" as const) };
}
