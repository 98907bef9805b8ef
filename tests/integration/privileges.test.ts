import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { grantRoles, PRIVILEGES, ROLES } from "#core/database/roles.ts";
import { useLeastPrivilege } from "#tests/support/least-privilege.ts";

const context = useLeastPrivilege();
const { db } = context;

test("a role without a grant may not call a function with its owner's rights", async () => {
  const anyone = sql`
    select from pg_proc, aclexplode(coalesce(proacl, acldefault('f', proowner))) as acl
    where prosecdef and pronamespace = 'public'::regnamespace and grantee = 0`;
  expect((await anyone.execute(db.farwatch)).rows).toEqual([]);
});

test("everything belongs to the role that migrates, and no role of ours is privileged", async () => {
  const { rows } = await db.farwatch.pool.query(`
    select relname from pg_class
    where relnamespace = 'public'::regnamespace and relowner <> 'farwatch'::regrole
    union all select proname from pg_proc
    where pronamespace = 'public'::regnamespace and proowner <> 'farwatch'::regrole
    union all select rolname from pg_roles where rolname ~ '^farwatch' and (rolsuper or rolcreaterole or rolcreatedb)`);
  expect(rows).toEqual([]);
});

test("every table states what each role may do with it", async () => {
  const { rows } = await db.farwatch.pool.query(
    "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')",
  );
  expect(rows.map(({ relname }) => relname).sort()).toEqual(Object.keys(PRIVILEGES).sort());
});

test("migrating grants the roles their privileges, and migrating again changes none", async () => {
  expect([...context.migrated.granted].sort()).toEqual([...ROLES].sort());
  const readGrants = async () =>
    (
      await sql`
        select relname, relacl::text, array_agg(attacl::text order by attname) filter (where attacl is not null) as columns
        from pg_class left join pg_attribute on attrelid = pg_class.oid
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
        group by 1, 2 order by 1`.execute(db.farwatch)
    ).rows;
  const before = await readGrants();
  await db.farwatch.pool.query("grant delete on consents to farwatch_serve");
  await Promise.all([grantRoles(db.farwatch), grantRoles(db.farwatch)]);
  expect(await readGrants()).toEqual(before);
});

test("the runbook's queries show every role's activity to a member of pg_monitor and the owner, not to our roles", async () => {
  const guide = readFileSync("docs/operations.md", "utf8");
  const queries = [...guide.matchAll(/`(select .*?)`/g)].map(([, query = ""]) => query);
  await db.farwatch_serve.pool.query("select 'seen on call'");
  const run = async (client: { query(text: string): Promise<{ rows: unknown[] }> }) => {
    const results: unknown[] = [];
    for (const query of queries) results.push((await client.query(query)).rows);
    return JSON.stringify(results);
  };
  const open = async (user: string) => {
    const client = new Client(Object.assign(new URL(context.adminUrl), { username: user }).href);
    onTestFinished(() => client.end());
    await client.connect();
    return client;
  };
  const superuser = await open("postgres");
  const { password } = new URL(context.adminUrl);
  await superuser.query(`create role on_call login password '${password}' in role pg_monitor, farwatch`);
  for (const client of [superuser, await open("on_call")]) expect(await run(client)).toContain("seen on call");
  expect(await run(db.farwatch.pool)).not.toContain("seen on call");
});
