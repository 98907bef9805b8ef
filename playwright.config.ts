import { defineConfig, devices } from "@playwright/test";
import { CONSOLE, GRAPHICS, settingsOf, testsOf, VISITORS } from "#tests/support/visitors.ts";
import { chromiumWithoutWebgl, chromiumWithWebgl } from "#tools/chromium.ts";

/** The mutation drill sets shorter timeouts, even for clicks, because most of its tests fail. */
const { EXPECT_TIMEOUT_MS } = process.env;
const expectTimeout = Number(EXPECT_TIMEOUT_MS ?? 30_000);

// Halves the start-up time of the server, which each worker starts.
process.env.NODE_COMPILE_CACHE ??= "node_modules/.cache/node";

export default defineConfig<object, { hasMail: boolean }>({
  testDir: "tests/e2e",
  outputDir: "test-results",
  fullyParallel: true,
  workers: 2,
  // Generous, because the browser shares two cores with the server and the database.
  timeout: 120_000,
  expect: { timeout: expectTimeout, toPass: { timeout: expectTimeout } },
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"], ["json", { outputFile: "results/e2e.json" }]],
  use: { ...devices["Desktop Chrome"], actionTimeout: Number(EXPECT_TIMEOUT_MS ?? 0) },
  // The long tests first, so that the two workers end together.
  projects: [
    {
      name: "graphics",
      testMatch: GRAPHICS,
      workers: 1,
      // On a busy machine, software WebGL takes half a minute to draw.
      expect: { timeout: 2 * expectTimeout, toPass: { timeout: 2 * expectTimeout } },
      use: { launchOptions: chromiumWithWebgl },
    },
    {
      name: "console",
      testMatch: CONSOLE,
      use: { launchOptions: chromiumWithoutWebgl, contextOptions: { reducedMotion: "reduce" }, timezoneId: "UTC" },
    },
    // The page's tests, for each kind of visitor.
    ...Object.entries(VISITORS).map(([name, visitor]) => ({
      name,
      testIgnore: [GRAPHICS, CONSOLE],
      ...testsOf(name),
      use: settingsOf(visitor),
    })),
  ],
});
