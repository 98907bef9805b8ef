import { type Kysely, sql } from "kysely";

/**
 * Messages to many people, and one delivery per message and person, so that we know exactly who got which mail even if
 * a worker is killed. Confirmations and links are deliveries of two built-in messages.
 */
export async function createMail(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table messages (
      id              bigint generated always as identity primary key,
      kind            text not null check (kind in ('confirmation', 'link', 'reminder', 'invitation', 'announcement')),
      subject         text not null,
      body            text not null,
      audience        jsonb not null default '{}',
      pace            integer check (pace > 0),
      pace_unit       text check (pace_unit in ('hour', 'day')),
      version         integer not null default 1,
      state           text not null default 'draft' check (state in ('draft', 'sending', 'paused', 'done', 'canceled')),
      wave_id         bigint,
      created_at      timestamptz not null default now(),
      preparing_since timestamptz,
      prepared_at     timestamptz,
      started_at      timestamptz,
      finished_at     timestamptz,
      next_release_at timestamptz not null default now(),
      pause_reason    text check (pause_reason in ('bounces', 'complaints')),
      -- Only for the reminder: the days from joining until it is sent, and the last sign-up considered for it.
      after_days      integer check (after_days between 1 and 25),
      reminded_to     bigint,
      check ((pace is null) = (pace_unit is null)),
      -- Only operators may set started_at, so a mail worker can't start a draft.
      check (state in ('draft', 'canceled') or started_at is not null)
    );
    -- A stolen credential must not be able to hide what was sent.
    create trigger stays_as_sent before update of subject, body, state on messages
    for each row when (
      old.kind in ('invitation', 'announcement') and old.state <> 'draft'
      and (new.state = 'draft' or (new.subject, new.body) <> (old.subject, old.body))
    )
    execute function refuse_change();
    -- The built-in messages, whose text is in the code unless an operator writes one. The reminder is off at first.
    insert into messages (id, kind, subject, body, state, started_at, after_days) overriding system value values
      (0, 'reminder', '', '', 'paused', now(), 3),
      (1, 'confirmation', '', '', 'sending', now(), null),
      (2, 'link', '', '', 'sending', now(), null);
    alter table messages alter id restart with 3;

    create table deliveries (
      message_id      bigint not null,
      sign_up_id      bigint not null references sign_ups on delete cascade,
      state           text not null default 'pending'
        check (state in ('pending', 'sent', 'bounced', 'complained', 'skipped', 'failed')),
      reason          text,
      copies          smallint not null default 1,
      created_at      timestamptz not null default now(),
      first_tried_at  timestamptz,
      tried_at        timestamptz,
      next_try_at     timestamptz,
      sent_at         timestamptz,
      mailed_at       timestamptz[] not null default '{}',
      is_gmail        boolean not null default false,
      reported_at     timestamptz,
      reported_by     text,
      soft_bounced_at timestamptz,
      unsubscribed_at timestamptz,
      primary key (sign_up_id, message_id)
    );
    -- The queue's indexes are partial, so they shrink as mails are sent.
    create index deliveries_untried on deliveries (message_id, sign_up_id)
    where state = 'pending' and next_try_at is null;
    create index deliveries_retried on deliveries (message_id, next_try_at)
    where state = 'pending' and next_try_at is not null;
    create index deliveries_failed on deliveries (message_id) where state = 'failed';
    create index deliveries_reminded on deliveries (sign_up_id) where message_id = 0`.execute(db);
  // The index for the last 30 days' figures and for undoing a source's reports.
  const lastReport = sql`greatest(reported_at, soft_bounced_at, unsubscribed_at)`;
  await sql`create index deliveries_reported on deliveries (${lastReport}) where ${lastReport} is not null`.execute(db);
  await countDeliveries(db);

  // The last three confirmations to any tagged or dotted spelling of a mailbox, newest first.
  await sql`
    create table mailboxes (
      mailbox         text primary key,
      mailed_at       timestamptz[] not null default '{}',
      unsubscribed_at timestamptz
    );

    -- Mails per minute, counted across all workers.
    create table mail_minutes (
      minute timestamptz primary key,
      mails  integer not null,
      bulk   integer not null default 0,
      people integer not null default 0,
      gmail  integer not null default 0
    );

    -- How many people each mail provider's events have suppressed since a day ago at most, and when that was too many.
    create table mail_sources (
      source     text primary key,
      suppressed integer not null default 0,
      since      timestamptz not null default now(),
      stopped_at timestamptz
    );
    -- Amazon's certificates, by the URL that a server noted. A worker fetches them.
    create table sns_certificates (url text primary key, pem text);

    -- Whether the servers send mail.
    create table mail_switch (
      only_row boolean primary key default true check (only_row),
      is_on    boolean not null
    );
    insert into mail_switch (is_on) values (false)`.execute(db);
}

/** The columns that count a message's deliveries in each state. */
const COUNTED = {
  deliveries: "true",
  reached: "sent_at is not null",
  gmail: "sent_at is not null and is_gmail",
  soft_bounced: "soft_bounced_at is not null",
  unsubscribed: "unsubscribed_at is not null",
};

/** Stores counts for progress in slots, like the totals, because counting a million deliveries takes long. */
async function countDeliveries(db: Kysely<unknown>): Promise<void> {
  const columns = Object.keys(COUNTED);
  const list = (text: (column: string) => string, separator = ", ") => sql.raw(columns.map(text).join(separator));
  await sql`
    create table delivery_counts (
      message_id   bigint not null,
      state        text not null,
      slot         smallint not null,
      ${list((column) => `${column} integer not null`)},
      last_sent_at timestamptz,
      primary key (message_id, state, slot)
    ) with (fillfactor = 10)`.execute(db);

  const changes = Object.entries(COUNTED).map(
    ([column, condition]) => `case when ${condition} then ? else 0 end as ${column}`,
  );
  const rowsOf = (table: string, change: number) =>
    `select message_id, state, sent_at, ${changes.join(", ").replaceAll("?", String(change))} from ${table}`;
  const [before, after] = [rowsOf("old_rows", -1), rowsOf("new_rows", 1)];
  // Someone who leaves stays in the results of messages that they got. Ordered, so that two statements can't deadlock.
  const addUp = (changed: string) => sql`
    insert into delivery_counts as counted (message_id, state, slot, ${list(String)}, last_sent_at)
    select message_id, state, totals_slot(), ${list((column) => `sum(${column})`)}, max(sent_at)
    from (${sql.raw(changed)}) as changes
    group by message_id, state
    having ${list((column) => `sum(${column}) <> 0`, " or ")}
    order by message_id, state
    on conflict (message_id, state, slot) do update set
      ${list((column) => `${column} = counted.${column} + excluded.${column}`)},
      last_sent_at = greatest(counted.last_sent_at, excluded.last_sent_at);`;
  // Runs with the owner's rights: these counts limit how many people an invitation reaches, so no role may set them.
  await sql`
    create function count_deliveries() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      if tg_op = 'INSERT' then ${addUp(after)}
      elsif tg_op = 'DELETE' then ${addUp(`${before} where state = 'pending'`)}
      else ${addUp(`${after} union all ${before}`)}
      end if;
      return null;
    end $$;
    revoke all on function count_deliveries from public`.execute(db);
  for (const [event, rows] of Object.entries({
    insert: "new table as new_rows",
    update: "old table as old_rows new table as new_rows",
    delete: "old table as old_rows",
  })) {
    await sql`
      create trigger ${sql.raw(`count_${event}`)} after ${sql.raw(event)} on deliveries
      referencing ${sql.raw(rows)} for each statement execute function count_deliveries()`.execute(db);
  }
}
