import { globSync, readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { lint } from "#tests/support/lint-probe.ts";

const byFile = (imports: Record<string, string[]>): [from: string, to: string][] =>
  Object.entries(imports).flatMap(([from, all]) => all.map((to): [string, string] => [from, to]));

const FORBIDDEN = byFile({
  "brand/probe.ts": ["#contract/paths.ts"],
  "contract/probe.ts": ["#brand/brand.ts", "react"],
  "site/http/probe.ts": ["#site/toast/toasts.ts", "node:fs"],
  "site/ui/probe.ts": ["#site/pages/landing.tsx"],
  "site/waitlist/probe.ts": ["#site/sections/footer.tsx"],
  "site/toast/probe.ts": ["#site/waitlist/waitlist.tsx"],
  "site/sections/hero/probe.ts": ["../footer.tsx"],
  "site/pages/probe.ts": ["#site/main.tsx"],
  "site/main.tsx": ["#core/config/config.ts"],
  "core/probe.ts": ["#server/http/problem.ts", "#worker/start.ts", "#tests/support/post.ts"],
  "core/sign-ups/probe.ts": ["fastify", "@fastify/rate-limit", "node:http", "commander", "node:readline/promises"],
  "core/database/probe.ts": ["#core/sign-ups/join.ts", "fastify"],
  "core/format.ts": ["#core/config/config.ts", "node:util"],
  "core/people/filter-fields.ts": ["#core/format.ts"],
  "server/app.ts": ["#worker/start.ts"],
  "server/main.ts": ["#worker/mail/worker.ts", "#cli/waitlist.ts", "#site/http/request.ts", "kysely"],
  "server/routes/probe.ts": ["#worker/start.ts", "#server/app.ts", "#tests/support/post.ts", "kysely"],
  "server/http/probe.ts": ["#server/routes/waitlist.ts", "kysely"],
  "worker/probe.ts": ["#server/http/problem.ts", "#cli/command.ts"],
  "cli/probe.ts": [
    "#server/http/problem.ts",
    "#worker/start.ts",
    "#tests/support/post.ts",
    "kysely",
    "kysely/migration",
    "#console/start.ts",
  ],
  "cli/service/console.ts": ["#console/api/app.ts"],
  "console/start.ts": ["#server/http/problem.ts"],
  "console/api/probe.ts": ["#cli/command.ts", "#console/app/app.tsx", "kysely"],
  "console/contract/probe.ts": ["kysely", "#console/app/app.tsx"],
  "console/app/views/probe.ts": ["#core/people/people-page.ts", "#console/api/session.ts", "node:fs"],
  "tools/dev/probe.ts": ["#tests/support/post.ts"],
});

const ALLOWED = byFile({
  "contract/probe.ts": ["zod/mini", "./paths.ts"],
  "site/http/probe.ts": ["#contract/paths.ts"],
  "site/waitlist/probe.ts": ["#site/toast/toasts.ts"],
  "site/pages/probe.ts": ["#site/waitlist/waitlist.tsx"],
  "site/main.tsx": ["#site/pages/landing.tsx"],
  "core/sign-ups/probe.ts": ["#core/mail/flag-mail.ts"],
  "core/mail/probe.ts": ["#brand/brand.ts"],
  "server/routes/probe.ts": ["#core/sign-ups/join.ts", "#server/http/problem.ts"],
  "server/main.ts": ["#server/app.ts", "#worker/start.ts"],
  "worker/probe.ts": ["#core/config/config.ts"],
  "cli/probe.ts": ["#core/config/config.ts"],
  "cli/service/console.ts": ["#console/start.ts"],
  "console/api/probe.ts": ["#core/people/people-page.ts"],
  "console/contract/probe.ts": ["#core/people/people-page.ts"],
  "console/app/views/probe.ts": ["#console/app/http/idle.ts", "#console/contract.ts"],
  "tools/dev/probe.ts": ["#server/app.ts"],
});

const FORMS = [
  (to: string) => `import * as probe from "${to}";\nexport { probe };\n`,
  (to: string) => `export type { Probe } from "${to}";\n`,
  (to: string) => `await import("${to}");\n`,
];

const name = (from: string, to: string, form: (to: string) => string) => `${from}: ${form(to).trim()}`;
let caught: Set<string>;

/** Starting Biome is the slow part, so probes share a tree; only probes of the same file need separate ones. */
beforeAll(async () => {
  const trees: Map<string, { source: string; probe: string }>[] = [];
  for (const [from, to] of [...FORBIDDEN, ...ALLOWED]) {
    for (const form of FORMS) {
      const tree = trees.find((candidate) => !candidate.has(from)) ?? new Map();
      if (tree.size === 0) trees.push(tree);
      tree.set(from, { source: form(to), probe: name(from, to, form) });
    }
  }
  const found = await Promise.all(
    trees.map(async (tree) => {
      const fired = await lint(Object.fromEntries([...tree].map(([path, { source }]) => [path, source])));
      return [...tree].flatMap(([path, { probe }]) =>
        fired.includes(`${path} lint/style/noRestrictedImports`) ? [probe] : [],
      );
    }),
  );
  caught = new Set(found.flat());
}, 60_000);

test.each(FORBIDDEN)("%s may not import %s, statically, as a type or dynamically", (from, to) => {
  for (const form of FORMS) expect(caught).toContain(name(from, to, form));
});

test.each(ALLOWED)("%s may import %s", (from, to) => {
  for (const form of FORMS) expect(caught).not.toContain(name(from, to, form));
});

test("only core/config/config.ts may read process.env", async () => {
  const reads = "export const port = process.env.PORT;\n";
  expect(await lint({ "server/app.ts": reads, "core/config/config.ts": reads })).toEqual([
    "server/app.ts lint/style/noProcessEnv",
  ]);
});

// They run in the browser too. Biome can't tell types from values.
test("the console's contract imports only types of core and the API", () => {
  for (const path of globSync("console/{contract.ts,contract/*.ts}")) {
    expect(readFileSync(path, "utf8")).not.toMatch(/^(import|export)(?! type)[^;]* from "#(core|console\/api)\//m);
  }
});

test("the console's page may not use Node's globals", async () => {
  const uses = "export const bytes = Buffer.from(process.title);\n";
  expect(await lint({ "console/app/probe.ts": uses, "console/api/probe.ts": uses })).toEqual([
    "console/app/probe.ts lint/style/noRestrictedGlobals",
    "console/app/probe.ts lint/style/noRestrictedGlobals",
  ]);
});
