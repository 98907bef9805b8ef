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

// PostgreSQL says that any column of a view may be null, so the table's column decides.
const COLUMNS = `
  select of_view.table_name, of_view.column_name, of_view.udt_name,
    coalesce(of_table.is_nullable, of_view.is_nullable) = 'YES' as is_nullable
  from information_schema.columns as of_view
  left join information_schema.view_column_usage as usage
    on (view_schema, view_name, usage.column_name) = (of_view.table_schema, of_view.table_name, of_view.column_name)
  left join information_schema.columns as of_table
    on (of_table.table_schema, of_table.table_name, of_table.column_name)
      = (usage.table_schema, usage.table_name, usage.column_name)
  where of_view.table_schema = 'public' and of_view.table_name !~ '^kysely_'
  order by of_view.ordinal_position`;

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
