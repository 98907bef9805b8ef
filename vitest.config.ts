import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Most tests wait: for processes of their own, for PostgreSQL, for a mail. By default there is one worker a spare core.
    maxWorkers: 3,
    // Programs that tests start need half the time with it: most of that is parsing packages.
    env: { NODE_COMPILE_CACHE: "node_modules/.cache/node" },
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "{brand,charts,cli,contract,core,server,site,tools,worker}/**/*.test.ts",
            "tests/policy/**/*.test.ts",
          ],
        },
      },
      {
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          globalSetup: "tests/support/template-database.ts",
        },
      },
      {
        test: {
          name: "drills",
          include: ["tests/drills/*.test.ts"],
          globalSetup: "tests/support/template-database.ts",
        },
      },
      { test: { name: "engines", include: ["tests/engines/**/*.test.ts"], testTimeout: 30_000 } },
      { test: { name: "image", include: ["tests/drills/image/**/*.test.ts"] } },
    ],
  },
});
