import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { useFolder } from "#tests/support/folder.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";

const context = useTestDatabase();
const { aFile } = useFolder();

/** The JavaScript type that pg returns for each of PostgreSQL's. */
const TYPES: Record<string, string> = {
  text: "string",
  int8: "string",
  uuid: "string",
  xid8: "string",
  tsvector: "string",
  int2: "number",
  int4: "number",
  bool: "boolean",
  timestamptz: "Date",
  date: "Date",
  bytea: "Buffer",
  jsonb: "object",
  _text: "string[]",
  _timestamptz: "Date[]",
};

const COLUMNS = `
  select table_name, column_name, udt_name, is_nullable = 'YES' as is_nullable
  from information_schema.columns
  where table_schema = 'public' and table_name !~ '^kysely_'
  order by ordinal_position`;

interface Column {
  table_name: string;
  column_name: string;
  udt_name: string;
  is_nullable: boolean;
}

test("tables.ts declares every table and column of the migrated schema, with its type and whether it may be null", async () => {
  const { rows } = await context.db.pool.query<Column>(COLUMNS);
  const declare = ({ column_name, udt_name, is_nullable }: Column) =>
    `${column_name}: ${TYPES[udt_name] ?? udt_name}${is_nullable ? " | null" : ""}`;
  const tables = Object.entries(Object.groupBy(rows, ({ table_name }) => table_name)).map(
    ([name, columns = []]) => `${name}: { ${columns.map(declare).join("; ")} };`,
  );
  const compared = aFile(
    "compared.ts",
    `
    import type { DeclaredTables } from "${process.cwd()}/tests/support/declared-tables.ts";
    interface Migrated {
      ${tables.join("\n      ")}
    }
    declare const migrated: Migrated;
    declare const declared: DeclaredTables;
    migrated satisfies DeclaredTables;
    declared satisfies Migrated;
    `,
  );
  const config = {
    extends: `${process.cwd()}/tsconfig.base.json`,
    compilerOptions: { types: [`${process.cwd()}/node_modules/@types/node`] },
    files: [compared],
  };
  const { stdout } = spawnSync("node_modules/.bin/tsc", ["-p", aFile("tsconfig.json", JSON.stringify(config))]);
  expect(String(stdout)).toBe("");
});
