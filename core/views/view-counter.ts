import { type Kysely, sql } from "kysely";
import type { PageViews, Tables } from "#core/database/tables.ts";

export type ViewCounter = ReturnType<typeof startViewCounter>;

const HOUR_MS = 3_600_000;
const STORE_INTERVAL_MS = 60_000;
/** Campaigns per hour. Others are counted together, because strangers can invent them. */
const MAX_CAMPAIGNS = 200;
/** More campaigns than are stored, so that the most viewed can be chosen. Bounds memory, even in an outage of days. */
const MAX_WAITING = 1000;

/** Counts in memory and stores once a minute, so that a view costs no query. A killed process loses its last minute. */
export function startViewCounter(db: Kysely<Tables>, onFault: (reason: unknown) => void, total?: { inc(): void }) {
  let waiting = new Map<string, PageViews>();
  let storing = Promise.resolve();
  const timer = setInterval(store, STORE_INTERVAL_MS);

  function add(more: PageViews): void {
    const { hour, source, medium, campaign, is_other } = more;
    const names = [source, medium, campaign];
    // Unambiguous, because names contain no line breaks.
    const key = [hour.getTime(), is_other, ...names].join("\n");
    const counted = waiting.get(key);
    if (counted) {
      counted.views += more.views;
      counted.is_partial ||= more.is_partial;
    } else if (waiting.size < MAX_WAITING || names.join("") === "") {
      waiting.set(key, more);
    } else {
      add({ ...more, source: "", medium: "", campaign: "", is_other: true });
    }
  }

  async function storeWaiting(): Promise<void> {
    if (waiting.size === 0) return;
    const views = [...waiting.values()];
    waiting = new Map();
    let state: "uncommitted" | "committing" = "uncommitted";
    try {
      await db.transaction().execute(async (transaction) => {
        await storeViews(transaction, views);
        state = "committing";
      });
    } catch (reason) {
      onFault(reason);
      // A commit that failed may still have happened, and losing these views is better than counting them twice.
      if (state === "uncommitted") for (const each of views) add(each);
    }
  }

  function store(): Promise<void> {
    storing = storing.then(storeWaiting);
    return storing;
  }

  return {
    /** `isPartial`: the request came from a cache, which serves other visitors itself. */
    count({ source = "", medium = "", campaign = "" }: Record<string, string>, isPartial: boolean): void {
      total?.inc();
      const hour = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
      add({ hour, source, medium, campaign, is_other: false, views: 1, is_partial: isPartial });
    },
    store,
    /** Takes at most a few seconds, because the pool limits each statement's time. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await store();
    },
  };
}

async function storeViews(transaction: Kysely<Tables>, views: PageViews[]): Promise<void> {
  // One server at a time. A separate statement, so that the next statement sees what other servers stored.
  await sql`select pg_advisory_xact_lock(hashtext('store page views'))`.execute(transaction);
  await sql`
    with arriving as (
      select arriving.*, source || medium || campaign = '' or stored.hour is not null as is_known
      from json_to_recordset(${JSON.stringify(views)}) as arriving (
        hour timestamptz, source text, medium text, campaign text, is_other boolean, views integer, is_partial boolean
      )
      left join page_views as stored using (hour, source, medium, campaign, is_other)
    ), ranked as (
      select arriving.*, is_known or
        row_number() over (partition by hour, is_known order by views desc) <= ${MAX_CAMPAIGNS} - (
          select count(*) from page_views
          where page_views.hour = arriving.hour and page_views.source || page_views.medium || page_views.campaign <> ''
        ) as is_kept
      from arriving
    )
    insert into page_views as stored (hour, source, medium, campaign, is_other, views, is_partial)
    select
      hour, case when is_kept then source else '' end, case when is_kept then medium else '' end,
      case when is_kept then campaign else '' end, is_other or not is_kept, sum(views), bool_or(is_partial)
    from ranked group by 1, 2, 3, 4, 5
    on conflict (hour, source, medium, campaign, is_other) do update
    set views = stored.views + excluded.views, is_partial = stored.is_partial or excluded.is_partial`.execute(
    transaction,
  );
}
