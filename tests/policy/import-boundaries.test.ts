import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { drawFloors, HOUSES, mayImport } from "./floors.ts";

/** Imports that the lists in floors.ts forbid, in folders that exist: upward, sideways, between houses. */
const UPWARD = {
  "brand/brand.ts": ["contract/paths.ts"],
  "site/waitlist/waitlist.tsx": ["site/sections/footer/footer.tsx", "site/main.ts", "core/config/config.ts"],
  "core/sign-ups/join.ts": ["core/mail/queue/flag-mail.ts", "core/mail/switch.ts", "server/http/same-origin.ts"],
  "server/app.ts": ["worker/start.ts", "server/main.ts"],
  "server/main.ts": ["worker/webhooks.ts", "cli/waitlist.ts"],
  "cli/service/console.ts": ["console/api/app.ts", "cli/retention/erase.ts"],
  "console/contract/people.ts": ["console/app/app.tsx", "console/api/people.ts"],
  "console/app/views/people.tsx": ["core/people/people-page.ts", "console/http/session.ts"],
  "tools/dev/dev.ts": ["tests/support/post.ts"],
};

/** Packages that Biome forbids. */
const FORBIDDEN = {
  "contract/probe.ts": ["react"],
  "site/http/probe.ts": ["node:fs"],
  "site/sections/hero/probe.ts": ["../footer.tsx"],
  "core/sign-ups/probe.ts": ["fastify", "@fastify/rate-limit", "node:http", "commander", "node:readline/promises"],
  "core/database/probe.ts": ["fastify"],
  "core/text/format.ts": ["#core/config/config.ts", "node:util"],
  "core/people/filter-fields.ts": ["#core/text/html.ts"],
  "core/overview/funnel-steps.ts": ["#core/text/html.ts"],
  "server/main.ts": ["kysely"],
  "server/routes/probe.ts": ["kysely"],
  "worker/probe.ts": ["kysely", "pg"],
  "cli/probe.ts": ["kysely", "kysely/migration"],
  "console/api/probe.ts": ["kysely"],
  "console/sign-in/probe.ts": ["kysely"],
  "console/contract/probe.ts": ["kysely"],
  "console/app/views/probe.ts": ["node:fs"],
};

const IMPORT = /\b(?:from|import)\s*\(?\s*"([#.][^"?]+)/g;

/** Each import of one of our files by another, as paths. */
function imports(): [from: string, to: string][] {
  const files = globSync(`{${Object.keys(HOUSES).join(",")}}/**/*.{ts,tsx}`, { exclude: ["**/*.test.ts"] });
  return files.flatMap((from) =>
    [...readFileSync(from, "utf8").matchAll(IMPORT)].map(([, path = ""]): [string, string] => [
      from,
      path.startsWith("#") ? path.slice(1) : join(dirname(from), path),
    ]),
  );
}

test("every import points to a lower floor", () => {
  const arrows = imports();
  expect(arrows.length).toBeGreaterThan(1500);
  expect(arrows.filter(([from, to]) => !mayImport(from, to)).map((arrow) => arrow.join(" → "))).toEqual([]);
});

test("no folder has more than 16 files", () => {
  const files = globSync(`{${Object.keys(HOUSES).join(",")}}/**/*.{ts,tsx,css}`, { exclude: ["**/*.test.ts"] });
  const folders = Object.entries(Object.groupBy(files, dirname)).map(([name, all = []]) => [name, all.length] as const);
  expect(folders.filter(([, count]) => count > 16)).toEqual([]);
});

test.each(Object.entries(UPWARD))("%s may not import what is above it or beside it", (from, all) => {
  expect([from, ...all].filter((path) => !existsSync(dirname(path)))).toEqual([]);
  expect(all.filter((to) => mayImport(from, to))).toEqual([]);
});

test("docs/architecture.md opens with a drawing of the floors", () => {
  expect(readFileSync("docs/architecture.md", "utf8")).toContain(`# Architecture\n\n${drawFloors()}\n`);
});

/** Lints these files and returns each violation as "path rule", sorted. */
function lint(files: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), "farwatch-lint-"));
  try {
    const config = Object.fromEntries(["biome.json", "package.json"].map((name) => [name, readFileSync(name, "utf8")]));
    for (const [path, source] of Object.entries({ ...config, ...files })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), source);
    }
    const args = ["lint", "--vcs-enabled=false", "--reporter=json", "--max-diagnostics=none"];
    const { stdout } = spawnSync(join(process.cwd(), "node_modules/.bin/biome"), args, { cwd: folder });
    const { diagnostics }: { diagnostics: { category: string; location: { path: string } }[] } = JSON.parse(
      String(stdout),
    );
    return diagnostics.map(({ category, location }) => `${location.path} ${category}`).sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// Shows only what Biome forbids; `npm run check` shows that it allows the imports in our code.
test("each layer may import only its packages", () => {
  const sources = Object.entries(FORBIDDEN).map(([from, all]) => [from, all.map((to) => `import "${to}";\n`).join("")]);
  const expected = Object.entries(FORBIDDEN).flatMap(([from, all]) =>
    all.map(() => `${from} lint/style/noRestrictedImports`),
  );
  expect(lint(Object.fromEntries(sources))).toEqual(expected.sort());
});

test("files may not import each other in a circle, not even for types", () => {
  const files = {
    "core/text/a.ts": 'import type { B } from "./b.ts";\nexport type A = B[];\n',
    "core/text/b.ts": 'import type { A } from "./a.ts";\nexport interface B {\n  a: A;\n}\n',
  };
  expect(lint(files)).toEqual(Object.keys(files).map((path) => `${path} lint/suspicious/noImportCycles`));
});

test("only core/config/config.ts may read process.env", () => {
  const reads = "export const port = process.env.PORT;\n";
  expect(lint({ "server/app.ts": reads, "core/config/config.ts": reads })).toEqual([
    "server/app.ts lint/style/noProcessEnv",
  ]);
});

// The console's contract also runs in the browser, and Biome can't tell types from values.
test("the console's contract imports only types of core and of the JSON", () => {
  for (const path of globSync("console/contract/*.ts"))
    expect(readFileSync(path, "utf8")).not.toMatch(/^(import|export)(?! type)[^;]* from "#(core|console\/json)\//m);
});

test("the console's page may not use Node's globals", () => {
  const uses = "export const bytes = Buffer.from(process.title);\n";
  expect(lint({ "console/app/probe.ts": uses, "console/api/probe.ts": uses })).toEqual([
    "console/app/probe.ts lint/style/noRestrictedGlobals",
    "console/app/probe.ts lint/style/noRestrictedGlobals",
  ]);
});
