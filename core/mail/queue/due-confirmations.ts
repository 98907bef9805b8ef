import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "#core/database/tables.ts";
import { type Delivery, mayRevive, OWN_MESSAGE } from "#core/mail/recipients.ts";
import { isListed } from "#core/people/states.ts";
import type { NetworkBudgets } from "./network-budgets.ts";

/** Lower than any network's number, so that the search starts with the lowest. */
const START = -(2 ** 31) - 1;

/**
 * Returns a function that turns up to `max` flagged sign-ups into deliveries. It serves networks round-robin and
 * remembers the last one, so that nobody waits for another network's mails, and each lookup uses the index. Mails of a
 * network over its budget stay due.
 */
export function createTurns(
  budgets: NetworkBudgets,
): (transaction: Kysely<Tables>, max: number) => Promise<Delivery[]> {
  let lastNetwork = START;
  return async (transaction, max) => {
    const taken: Delivery[] = [];
    for (let round = 0; round <= max && taken.length < max; round += 1) {
      const wanted = max - taken.length;
      const { rows: turns } = await sql<Turn>`
        with recursive turns as (${turnsAfter(lastNetwork)})
        select network, id from turns where network <> all(${budgets.used()}::integer[]) limit ${wanted}`.execute(
        transaction,
      );
      if (turns.length === 0 && lastNetwork === START) break;
      const deliveries = await toDeliveries(transaction, turns);
      const mailed = new Set(deliveries.map(({ signUpId }) => signUpId));
      for (const { id, network } of turns) if (mailed.has(id)) budgets.spend(network);
      taken.push(...deliveries);
      lastNetwork = turns.length < wanted ? START : (turns.at(-1)?.network ?? START);
    }
    return taken;
  };
}

interface Turn {
  id: string;
  network: number;
}

/** The recursive part of a query named `turns`: finds each network's first flagged sign-up with one index lookup. */
export function turnsAfter(last = START) {
  const firstAfter = (network: RawBuilder<unknown>) => sql`
    select mail_network as network, id from sign_ups where ${isListed} and mail_network > ${network}
    order by mail_network, id limit 1`;
  return sql`
    (${firstAfter(sql`${last}::bigint`)})
    union all
    select next.network, next.id from turns, lateral (${firstAfter(sql`turns.network`)}) as next`;
}

/**
 * Leaves next_try_at empty, so that the same claim doesn't take these mails again as retries. Skips a pending mail,
 * unless its mailbox's limit postponed it: then it counts as the latest request.
 */
async function toDeliveries(transaction: Kysely<Tables>, turns: Turn[]): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    with due as (
      -- Doesn't test mail_network, because PostgreSQL may underestimate the flagged rows and scan them all.
      select id, confirmed_at from sign_ups where id = any(${turns.map(({ id }) => id)}::bigint[])
      for no key update skip locked
    ), cleared as (
      update sign_ups set mail_network = null from due where sign_ups.id = due.id
    )
    insert into deliveries as kept (message_id, sign_up_id)
    select ${sql.raw(OWN_MESSAGE)}, id from due
    on conflict (sign_up_id, message_id) do update
      set copies = kept.copies + (kept.state <> 'pending')::integer, state = 'pending', reason = null,
        next_try_at = null, first_tried_at = null
      where ${mayRevive}
    returning message_id as "messageId", sign_up_id as "signUpId"`.execute(transaction);
  return rows;
}
