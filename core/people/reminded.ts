import { sql } from "kysely";

/** The id of the built-in message for people who haven't confirmed. */
export const REMINDER = "0";

/** How many people confirmed after their reminder was sent, as SQL. The condition is on sign_ups. */
export const countReminded = (condition = sql<boolean>`true`) => sql<number>`(
  select count(*)::integer from deliveries join sign_ups on sign_ups.id = sign_up_id
  where message_id = ${REMINDER} and sent_at < confirmed_at and ${condition})`;
