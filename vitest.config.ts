import { globSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

/**
 * Far longer than any test or hook takes: most start programs, and a shared machine can be ten times slower. A hook
 * that times out leaves its server running, and Vitest waits forever for that server to end.
 */
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000 };

/** Policy tests read most of their files instead of importing them, so `--changed` runs them after any change. */
const readsEveryFile = {
  name: "reads-every-file",
  configResolved({ configFileDependencies }: { configFileDependencies: string[] }) {
    const exclude = ["node_modules", ".git", "dist", "dist-console", "results", "test-results"];
    configFileDependencies.push(...globSync("**", { exclude }).map((path) => resolve(path)));
  },
};

export default defineConfig({
  test: {
    // Not the default of one worker per spare core, because most tests wait for processes, PostgreSQL or mail.
    maxWorkers: 3,
    // Halves the start-up time of the programs that tests run, most of which is parsing packages.
    env: { NODE_COMPILE_CACHE: "node_modules/.cache/node" },
    projects: [
      {
        test: {
          name: "unit",
          ...timeouts,
          // Runs before the integration tests, like the policy tests.
          sequence: { groupOrder: 0 },
          include: ["{brand,cli,console,contract,core,server,site,tools,worker,tests/support}/**/*.test.ts"],
        },
      },
      {
        plugins: [readsEveryFile],
        test: {
          name: "policy",
          ...timeouts,
          sequence: { groupOrder: 0 },
          include: ["tests/policy/**/*.test.ts"],
        },
      },
      {
        test: {
          name: "integration",
          ...timeouts,
          sequence: { groupOrder: 1 },
          expect: { poll: { timeout: 20_000 } },
          include: ["tests/integration/**/*.test.ts"],
          globalSetup: "tests/support/template-database.ts",
        },
      },
      {
        test: {
          name: "drills",
          include: ["tests/drills/*.test.ts"],
          ...timeouts,
          globalSetup: "tests/support/template-database.ts",
        },
      },
      { test: { name: "engines", include: ["tests/engines/**/*.test.ts"], ...timeouts } },
    ],
  },
});
