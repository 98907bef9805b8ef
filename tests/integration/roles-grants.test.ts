import { sql } from "kysely";
import { expect, test, vi } from "vitest";
import { grantRoles, PRIVILEGES, ROLES } from "#core/database/roles.ts";
import { useLeastPrivilege } from "#tests/support/least-privilege.ts";
import { runNode } from "#tests/support/run-node.ts";

vi.setConfig({ testTimeout: 30_000 });
const context = useLeastPrivilege();
const { db, url } = context;

test("migrating grants both roles their privileges, and again the same ones", async () => {
  expect([...context.migrated.granted].sort()).toEqual([...ROLES].sort());
  const readGrants = async () =>
    (
      await sql`
        select relname, relacl::text, array_agg(attacl::text order by attname) filter (where attacl is not null) as columns
        from pg_class left join pg_attribute on attrelid = pg_class.oid
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        group by 1, 2 order by 1`.execute(db.farwatch)
    ).rows;
  const before = await readGrants();
  await db.farwatch.pool.query("grant delete on consents to farwatch_serve");
  await Promise.all([grantRoles(db.farwatch), grantRoles(db.farwatch)]);
  expect(await readGrants()).toEqual(before);
});

test("every table states what each role may do with it", async () => {
  const { rows } = await sql<{ tablename: string }>`
    select tablename from pg_tables where schemaname = 'public' order by 1`.execute(db.farwatch);
  expect(rows.map(({ tablename }) => tablename)).toEqual(Object.keys(PRIVILEGES).sort());
});

test("a server whose role has no privileges yet prints one line that says so", async () => {
  await db.farwatch.pool.query("revoke all on all tables in schema public from farwatch_serve");
  const { code, stderr } = await runNode("server/main.ts", { DATABASE_URL: url.farwatch_serve, PORT: "0" });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'The database refused: permission denied for table kysely_migration. Check the role in DATABASE_URL; "waitlist migrate", run by the owner of the tables, grants the privileges.\n',
  });
  await grantRoles(db.farwatch);
});

test("a role without a grant may not call erase_person", async () => {
  const { rows } =
    await sql`select from pg_proc, aclexplode(proacl) as acl where proname = 'erase_person' and grantee = 0`.execute(
      db.farwatch,
    );
  expect(rows).toEqual([]);
});
