import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const FORBIDDEN = {
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
  "core/text/format.ts": ["#core/config/config.ts", "node:util"],
  "core/people/filter-fields.ts": ["#core/text/format.ts"],
  "server/app.ts": ["#worker/start.ts"],
  "server/main.ts": ["#worker/mail/worker.ts", "#cli/waitlist.ts", "#site/http/request.ts", "kysely"],
  "server/routes/probe.ts": ["#worker/start.ts", "#server/app.ts", "#tests/support/post.ts", "kysely"],
  "server/http/probe.ts": ["#server/routes/waitlist.ts", "kysely"],
  "worker/probe.ts": ["#server/http/problem.ts", "#cli/command.ts", "kysely", "pg"],
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
  "console/sign-in/probe.ts": ["#console/app/app.tsx", "kysely"],
  "console/contract/probe.ts": ["kysely", "#console/app/app.tsx"],
  "console/app/views/probe.ts": ["#core/people/people-page.ts", "#console/api/session.ts", "node:fs"],
  "tools/dev/probe.ts": ["#tests/support/post.ts"],
};

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

// `npm run check` shows that all other imports in our code are allowed.
test("each layer may import only what is below it", () => {
  const sources = Object.entries(FORBIDDEN).map(([from, all]) => [from, all.map((to) => `import "${to}";\n`).join("")]);
  const expected = Object.entries(FORBIDDEN).flatMap(([from, all]) =>
    all.map(() => `${from} lint/style/noRestrictedImports`),
  );
  expect(lint(Object.fromEntries(sources))).toEqual(expected.sort());
});

test("only core/config/config.ts may read process.env", () => {
  const reads = "export const port = process.env.PORT;\n";
  expect(lint({ "server/app.ts": reads, "core/config/config.ts": reads })).toEqual([
    "server/app.ts lint/style/noProcessEnv",
  ]);
});

// These files also run in the browser. Biome can't tell types from values.
test("the console's contract imports only types of core and the API", () => {
  for (const path of globSync("console/{contract.ts,contract/*.ts}")) {
    expect(readFileSync(path, "utf8")).not.toMatch(/^(import|export)(?! type)[^;]* from "#(core|console\/api)\//m);
  }
});

test("the console's page may not use Node's globals", () => {
  const uses = "export const bytes = Buffer.from(process.title);\n";
  expect(lint({ "console/app/probe.ts": uses, "console/api/probe.ts": uses })).toEqual([
    "console/app/probe.ts lint/style/noRestrictedGlobals",
    "console/app/probe.ts lint/style/noRestrictedGlobals",
  ]);
});
