import { defineConfig, devices } from "@playwright/test";
import { chromiumOptions } from "#tools/chromium.ts";

export default defineConfig({
  testDir: "tests/e2e",
  outputDir: "test-results",
  fullyParallel: true,
  workers: 2,
  // Generous, because a browser with software WebGL shares two cores with the server and the database.
  timeout: 60_000,
  // The mutation drill waits less, because most of its assertions fail.
  expect: { timeout: Number(process.env.EXPECT_TIMEOUT_MS ?? 15_000) },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: "results/e2e.json" }]],
  use: {
    ...devices["Desktop Chrome"],
    launchOptions: chromiumOptions,
  },
});
