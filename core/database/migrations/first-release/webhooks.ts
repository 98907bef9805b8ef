import { type Kysely, sql } from "kysely";

/** Webhooks: a log of events without personal data, the endpoints that get them, and the delivery attempts. */
export async function createWebhooks(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhook_endpoints (
      id            bigint generated always as identity primary key,
      url           text not null,
      host          text not null,
      secrets       text[] not null,
      rotated_at    timestamptz not null default now(),
      sends         text not null check (sends in ('pseudonyms', 'contact', 'digest')),
      state         text not null default 'active' check (state in ('active', 'paused', 'disabled', 'gone')),
      cursor        bigint not null default 0,
      attempts      integer not null default 0,
      failing_since timestamptz,
      next_try_at   timestamptz not null default now()
    );
    -- Keeps the old secret in a trigger, because operators may set a secret but read none.
    create function keep_old_secret() returns trigger language plpgsql as $$
    begin
      -- And the one before, if that was replaced today, because someone may click twice.
      new.secrets = array[new.secrets[1], old.secrets[1]]
        || case when old.rotated_at > now() - interval '1 day' then old.secrets[2:2] end;
      new.rotated_at = now();
      return new;
    end $$;
    create trigger keep_old_secret before update of secrets on webhook_endpoints
    for each row execute function keep_old_secret();

    -- A person's events vanish with the person. An event gets its position after its commit, so that whatever commits
    -- later comes later, and no cursor skips it.
    create table webhook_events (
      id          bigint generated always as identity primary key,
      position    bigint unique,
      webhook_id  text not null default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
      type        text not null,
      person_id   bigint references sign_ups on delete cascade,
      sub         text,
      endpoint_id bigint references webhook_endpoints on delete cascade,
      at          timestamptz not null default now(),
      check (num_nonnulls(person_id, sub, endpoint_id) = 1
        and (type = 'person.erased') = (sub is not null) and (type = 'webhook.test') = (endpoint_id is not null))
    );
    create index webhook_events_new on webhook_events (id) where position is null;
    create index webhook_events_person on webhook_events (person_id) where person_id is not null;
    -- Not max(position) + 1, which may be a position that vanished and that a cursor has passed.
    create sequence webhook_positions owned by webhook_events.position;
    -- Gives new events their positions, and returns the last one. One transaction at a time, because positions must
    -- become visible in order. With its owner's rights, so that no role can move an event.
    create function number_webhook_events() returns bigint
    language sql security definer set search_path = public, pg_temp as $$
      select pg_advisory_xact_lock(hashtext('number webhook events'));
      with numbered as materialized (
        select id, nextval('webhook_positions') as position
        from (select id from webhook_events where position is null order by id) as new
      )
      update webhook_events set position = numbered.position from numbered where webhook_events.id = numbered.id;
      select coalesce(max(position), 0) from webhook_events;
    $$;
    revoke all on function number_webhook_events from public;
    create table webhook_deliveries (
      id          bigint generated always as identity primary key,
      endpoint_id bigint not null references webhook_endpoints on delete cascade,
      webhook_id  text not null,
      type        text not null,
      attempt     integer not null,
      status      text not null,
      outcome     text not null,
      at          timestamptz not null default now()
    );
    create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id, id);

    -- A trigger, so that no statement can forget an event and no role can invent one. Sign-ups don't fire it. Never
    -- about unconfirmed people, whose address may be a stranger's.
    create function record_webhook_events() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      insert into webhook_events (type, person_id)
      select type, new.id from (values
        ('person.confirmed', old.confirmed_at is null),
        ('person.invited', new.invited_at is not null and (old.invited_at is null or old.confirmed_at is null)),
        ('person.accepted', old.accepted_at is null and new.accepted_at is not null),
        ('person.unsubscribed', old.newsletter and not new.newsletter),
        ('person.suppressed', old.suppressed_at is null and new.suppressed_at is not null)
      ) as happened (type, is_new) where is_new;
      return null;
    end $$;
    revoke all on function record_webhook_events from public;
    create trigger webhook_events after update of confirmed_at, invited_at, accepted_at, newsletter, suppressed_at on sign_ups
    for each row when (new.confirmed_at is not null) execute function record_webhook_events();

    -- A trigger sets a new endpoint's host and cursor, so that no role can show another host or send past events.
    -- Finds no host, which isn't allowed, unless the URL is written as the URL standard does.
    create function start_webhook() returns trigger
    language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      new.host = substring(new.url from '^https://([]a-z0-9._:[-]+)/');
      new.cursor = number_webhook_events();
      return new;
    end $$;
    revoke all on function start_webhook from public;
    create trigger start_webhook before insert on webhook_endpoints for each row execute function start_webhook();

    -- The secrets that sign the product's reports of used invitations.
    create table acceptance_secrets (
      id         bigint generated always as identity primary key,
      secret     text not null,
      created_at timestamptz not null default now()
    )`.execute(db);
}
