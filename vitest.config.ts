import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
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
