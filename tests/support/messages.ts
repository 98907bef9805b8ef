import type { Database } from "#core/database/connect.ts";
import type { Draft } from "#core/messages/messages.ts";
import { changeMessage, createMessage, prepareMessage } from "./accepted.ts";
import { OPERATOR } from "./an-operator.ts";

export const NEWS: Draft = {
  kind: "announcement",
  subject: "News",
  body: "Hi {{firstName}}",
  audience: {},
  pace: null,
};

/** Creates and prepares a message, and returns its id. */
export async function prepareNews(db: Database, changes: Partial<Draft>): Promise<string> {
  const { id } = await createMessage(db, OPERATOR, { ...NEWS, ...changes });
  await prepareMessage(db, OPERATOR, id);
  return id;
}

/** Creates, prepares and starts a message, and returns its id. */
export async function sendNews(db: Database, changes: Partial<Draft> = {}): Promise<string> {
  const id = await prepareNews(db, changes);
  await changeMessage(db, OPERATOR, id, "start");
  return id;
}

export async function audienceOf(db: Database, id: string): Promise<string[]> {
  const { rows } = await db.pool.query(
    "select email from deliveries join sign_ups on id = sign_up_id where message_id = $1 order by id",
    [id],
  );
  return rows.map(({ email }) => email);
}
