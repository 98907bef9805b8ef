// Past 200 lines, because every role is tried with every statement of one table.
import { expect, test } from "vitest";
import { connect } from "#core/database/connect.ts";
import { ROLES } from "#core/database/roles.ts";
import { watchOnCall } from "#core/on-call/on-call-metrics.ts";
import { createMetrics } from "#core/service/metrics.ts";
import { useLeastPrivilege } from "#tests/support/least-privilege.ts";

const { db, url } = useLeastPrivilege();

const insertWith = (column: string, value: string) =>
  `insert into sign_ups (email_key, email, first_name, last_name, newsletter, ${column})
   values ('eve@example.com', 'eve@example.com', 'Eve', 'Eve', false, ${value})`;
const FORBIDDEN = {
  farwatch_serve: [
    "update consents set given = true",
    "delete from consents",
    "delete from sign_ups",
    "truncate sign_ups",
    "update sign_ups set email = 'eve@example.com'",
    "update consent_wordings set wording = ''",
    "select address_hash from erasures",
    "select 1 from waves",
    "select 1 from activity",
    "insert into activity (actor, via, action) values ('eve', 'console', 'erase')",
    "alter table consents disable trigger all",
    "create table eve ()",
    "create or replace function erase_person(text, bytea, text) returns void language sql as ''",
    "delete from kysely_migration",
    "set role farwatch",
    "copy sign_ups to program 'true'",
    insertWith("joined_at", "'2020-01-01'"),
    insertWith("confirmed_at", "now()"),
    insertWith("invited_at", "now()"),
    "update sign_ups set invited_at = now()",
    "update sign_ups set friends = 4",
    "insert into consents (sign_up_id, wording_version, given, at) values (1, 1, true, '2020-01-01')",
    "select body from messages",
    "update messages set state = 'sending'",
    "insert into messages (kind, subject, body) values ('announcement', '', '')",
    "update deliveries set sign_up_id = 1",
    "update erasures set times = 0",
    "insert into delivery_counts values (3, 'skipped', 0, -1000000, 0)",
    "update delivery_counts set deliveries = 0",
    "insert into sns_certificates (url, pem) values ('', '')",
    "update sns_certificates set pem = ''",
    "select url from webhook_endpoints",
    "select secrets from webhook_endpoints",
    "insert into webhook_events (type, sub) values ('person.erased', 'x')",
    "select sub from webhook_events",
    "insert into acceptance_secrets (secret) values ('x')",
    "update acceptance_secrets set secret = 'x'",
    "update sign_ups set wave_id = 1",
  ],
  farwatch_work: [
    "select secret from acceptance_secrets",
    "update sign_ups set accepted_at = now()",
    "insert into sign_ups (email) values ('')",
    "update sign_ups set confirmed_at = now()",
    "update messages set started_at = now()",
    "select 1 from consents",
    "insert into webhook_events (type, sub) values ('person.erased', 'x')",
    "select erase_person('ada@example.com', '', '')",
  ],
  farwatch_operate: [
    "select secret from acceptance_secrets",
    "insert into acceptance_secrets (secret, created_at) values ('x', '2020-01-01')",
    "update sign_ups set accepted_at = now()",
    "update consents set given = true",
    "truncate consents",
    "truncate sign_ups",
    "update activity set actor = 'eve'",
    "delete from activity",
    "truncate activity",
    "insert into activity (at, actor, via, action) values ('2026-01-01', 'eve', 'console', 'erase')",
    "update sign_ups set email = 'eve@example.com'",
    "drop table sign_ups",
    "update mailboxes set mailed_at = '{}'",
    "select secrets from webhook_endpoints",
    "select url from webhook_endpoints",
    "set role farwatch",
  ],
  farwatch_console: [
    "select secret from acceptance_secrets",
    "insert into acceptance_secrets (secret, created_at) values ('x', '2020-01-01')",
    "delete from acceptance_secrets",
    "update sign_ups set accepted_at = now()",
    "select secrets from webhook_endpoints",
    "update webhook_endpoints set url = 'https://eve.example'",
    "update webhook_endpoints set sends = 'contact'",
    "update webhook_endpoints set cursor = 0",
    "insert into webhook_endpoints (url, host, secrets, sends) values ('https://eve.example/', 'crm.example', '{}', 'contact')",
    "insert into webhook_endpoints (url, secrets, sends, cursor) values ('https://eve.example/', '{}', 'contact', 0)",
    "insert into webhook_events (type, sub) values ('person.erased', 'x')",
    "update webhook_events set position = null",
    "select sub from webhook_events",
    "insert into console_roles values ('eve@example.com', 'admin')",
    "update console_roles set role = 'admin'",
    "delete from console_operators",
    "update console_operators set subject = 'eve'",
    "update console_operators set email = 'eve@example.com'",
    "update console_sessions set created_at = now()",
    "select forget_operators()",
    "delete from sign_ups",
    insertWith("set_aside_at", "now()"),
    "update sign_ups set email = 'eve@example.com'",
    "update sign_ups set confirmed_at = now()",
    "update sign_ups set friend_of = 1",
    insertWith("joined_at", "'2020-01-01'"),
    "insert into consents (sign_up_id, wording_version, given, at) values (1, 1, true, '2020-01-01')",
    "delete from consents",
    "select erased_at from erasures",
    "delete from messages",
    "update deliveries set state = 'pending'",
    "insert into maintenance_runs values ('backup', now())",
    "update activity set actor = 'eve'",
    "insert into activity (at, actor, via, action) values ('2026-01-01', 'eve', 'console', 'erase')",
    "set role farwatch",
  ],
};
const STATEMENTS = ROLES.flatMap((role) => FORBIDDEN[role].map((statement) => [role, statement] as const));
test.each(STATEMENTS)("%s may not run: %s", async (role, statement) => {
  await expect(db[role].pool.query(statement)).rejects.toMatchObject({ code: "42501" });
});

test("a worker can't start a draft", async () => {
  const { rows } = await db.farwatch.pool.query(
    "insert into messages (kind, subject, body) values ('announcement', 'We were acquired', '') returning id",
  );
  const start = db.farwatch_work.pool.query("update messages set state = 'sending' where id = $1", [rows[0].id]);
  await expect(start).rejects.toMatchObject({ code: "23514" });
});

test("a server erases one person per transaction, and can't hide how many", async () => {
  await db.farwatch_serve.pool.query(`
    insert into sign_ups (email_key, email, first_name, last_name, newsletter)
    select name, name, name, name, false from unnest(array['ada', 'bob', 'cy']) as name`);
  const eraseAll = db.farwatch_serve.pool.query("select erase_person(email_key, sha256('x'), 'x') from sign_ups");
  await expect(eraseAll).rejects.toThrow("Erase one person per transaction");
  // Makes each call in a subtransaction.
  const inLoop = db.farwatch_serve.pool.query(`
    do $$ declare key text; erased integer = 0; begin
      for key in select email_key from sign_ups loop
        begin perform erase_person(key, sha256('x'), 'x'); erased = erased + 1; exception when others then end;
      end loop;
      raise 'erased %', erased;
    end $$`);
  await expect(inLoop).rejects.toThrow("erased 1");
  const unrecorded = db.farwatch_serve.pool.query("select erase_person('ada', null, 'x')");
  await expect(unrecorded).rejects.toMatchObject({ code: "23502" });
  const malformed = db.farwatch_serve.pool.query("select erase_person('nobody', '\\x00', 'x')");
  await expect(malformed).rejects.toMatchObject({ code: "23514" });
  for (const name of ["ada", "nobody"])
    await db.farwatch_serve.pool.query("select erase_person($1, sha256('x'), 'x')", [name]);
  const metrics = createMetrics();
  watchOnCall(metrics, db.farwatch_serve);
  expect(await metrics.registry.metrics()).toContain("farwatch_erased_people 2");
});

test("the console's role can't send a new webhook past events, or show another host than the URL's", async () => {
  await db.farwatch.pool.query(`
    insert into sign_ups (email_key, email, first_name, last_name, newsletter) values ('p', 'p', 'p', 'p', true);
    update sign_ups set confirmed_at = now() where email = 'p'`);
  const add = (url: string) =>
    db.farwatch_console.pool.query(`
      insert into webhook_endpoints (url, secrets, sends) values ('${url}', '{}', 'contact')
      returning host, cursor = (select max(id) from webhook_events) as "isNew"`);
  expect((await add("https://eve.example:8443/crm.example/")).rows).toEqual([
    { host: "eve.example:8443", isNew: true },
  ]);
  for (const url of ["https://crm.example@eve.example/", "https://crm.example\\.eve.example/", "http://crm.example/"])
    await expect(add(url)).rejects.toMatchObject({ code: "23502" });
});

test.each(["body = 'Another text'", "state = 'draft'"])("nobody can set %s of a message that was sent", async (set) => {
  const { rows } = await db.farwatch.pool.query(`
    insert into messages (kind, subject, body, state, started_at) values ('announcement', '', '', 'done', now()) returning id`);
  const edit = db.farwatch_console.pool.query(`update messages set ${set} where id = ${rows[0].id}`);
  await expect(edit).rejects.toThrow("append-only");
});

test("a server can't undo confirmations, which would make a purge delete people", async () => {
  await db.farwatch.pool.query(insertWith("confirmed_at", "now()"));
  const unconfirm = db.farwatch_serve.pool.query("update sign_ups set confirmed_at = null");
  await expect(unconfirm).rejects.toThrow("append-only");
});

test("an invented event must have its type's shape", async () => {
  await db.farwatch.pool.query(
    "insert into webhook_endpoints (url, secrets, sends) values ('https://x/', '{}', 'digest')",
  );
  for (const [type, column, value] of [
    ["person.accepted", "sub", "'x'"],
    ["person.erased", "endpoint_id", "1"],
    ["webhook.test", "sub", "'x'"],
  ]) {
    const invent = `insert into webhook_events (type, ${column}) values ('${type}', ${value})`;
    await expect(db.farwatch_operate.pool.query(invent)).rejects.toMatchObject({ code: "23514" });
  }
});

test("a server can't set people aside, and no operator can backdate it, which would make a purge delete people, or hide it", async () => {
  await db.farwatch.pool.query(`${insertWith("joined_at", "now()")} on conflict do nothing`);
  const set = (role: (typeof ROLES)[number], time: string, more = "") =>
    db[role].pool.query(
      `create temporary table if not exists activity (at timestamptz default now(), action text, continues bigint);
       insert into activity (action) values ('set aside'); ${more}; update sign_ups set set_aside_at = ${time}`,
    );
  const record = "insert into public.activity (actor, via, action) values ('eve', 'console', 'set aside')";
  const refused = "Only operators may set people aside, and only as of now";
  await expect(set("farwatch_serve", "now()")).rejects.toThrow(refused);
  for (const role of ["farwatch_operate", "farwatch_console"] as const) {
    await expect(set(role, "now() - interval '2 days'", record)).rejects.toThrow(refused);
    for (const hidden of ["", record.replace("'set aside'", "'edit'")])
      await expect(set(role, "now()", hidden)).rejects.toThrow("without recording it");
    await set(role, "now()", record);
  }
  await set("farwatch_serve", "null");
});

test("a role that hides its warnings still gets them", async () => {
  await db.farwatch_serve.pool.query("alter role farwatch_serve set client_min_messages = error");
  const server = connect(url.farwatch_serve);
  expect((await server.pool.query("show client_min_messages")).rows).toEqual([{ client_min_messages: "warning" }]);
  await server.destroy();
  await db.farwatch_serve.pool.query("alter role farwatch_serve reset client_min_messages");
});

test("a role that turns its synchronous_commit off is refused at the next connection", async () => {
  await db.farwatch_serve.pool.query("alter role farwatch_serve set synchronous_commit = off");
  const server = connect(url.farwatch_serve);
  await expect(server.pool.query("select")).rejects.toThrow("synchronous_commit");
  expect(await server.isUp()).toBe(false);
  await db.farwatch_serve.pool.query("alter role farwatch_serve reset synchronous_commit");
  await expect.poll(() => server.isUp(), { timeout: 10_000 }).toBe(true);
  await server.destroy();
});
