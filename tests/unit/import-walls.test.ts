import { expect, test } from "vitest";
import { lint } from "#tests/support/lint-probe.ts";

const FORBIDDEN: [from: string, to: string][] = [
  ["brand/probe.ts", "#contract/paths.ts"],
  ["contract/probe.ts", "#brand/brand.ts"],
  ["contract/probe.ts", "react"],
  ["site/http/probe.ts", "#site/toast/toasts.ts"],
  ["site/http/probe.ts", "node:fs"],
  ["site/ui/probe.ts", "#site/pages/landing.tsx"],
  ["site/waitlist/probe.ts", "#site/sections/footer.tsx"],
  ["site/sections/hero/probe.ts", "../footer.tsx"],
  ["site/pages/probe.ts", "#site/main.tsx"],
  ["site/main.tsx", "#server/config.ts"],
  ["server/main.ts", "#site/http/request.ts"],
  ["server/database/probe.ts", "#server/waitlist/store.ts"],
  ["server/http/probe.ts", "#server/waitlist/store.ts"],
  ["server/waitlist/probe.ts", "#server/membership/routes.ts"],
  ["server/waitlist/probe.ts", "#server/mail/sender.ts"],
  ["server/config.ts", "#server/app.ts"],
  ["operator/probe.ts", "#server/app.ts"],
  ["operator/probe.ts", "#server/http/problem.ts"],
];

const ALLOWED: [from: string, to: string][] = [
  ["contract/probe.ts", "zod/mini"],
  ["contract/probe.ts", "./paths.ts"],
  ["site/http/probe.ts", "#contract/paths.ts"],
  ["site/waitlist/probe.ts", "#site/toast/toasts.ts"],
  ["site/pages/probe.ts", "#site/waitlist/waitlist.tsx"],
  ["site/main.tsx", "#site/pages/landing.tsx"],
  ["server/waitlist/probe.ts", "#server/mail/outbox.ts"],
  ["server/waitlist/probe.ts", "#server/http/problem.ts"],
  ["server/main.ts", "#server/app.ts"],
  ["operator/probe.ts", "#server/config.ts"],
];

const FORMS = {
  static: (to: string) => `import * as probe from "${to}";\nexport { probe };\n`,
  type: (to: string) => `export type { Probe } from "${to}";\n`,
  dynamic: (to: string) => `await import("${to}");\n`,
};

/** Each import in a tree of its own, since two of them may name the same file. */
async function isCaught(from: string, source: string): Promise<boolean> {
  return (await lint({ [from]: source })).includes(`${from} lint/style/noRestrictedImports`);
}

test.each(FORBIDDEN)("%s may not import %s, in whatever form", async (from, to) => {
  const caught = await Promise.all(Object.values(FORMS).map((form) => isCaught(from, form(to))));
  expect(caught).toEqual([true, true, true]);
});

test.each(ALLOWED)("%s may import %s", async (from, to) => {
  expect(await isCaught(from, FORMS.static(to))).toBe(false);
});

test("the environment is read in config and nowhere else", async () => {
  const reads = "export const port = process.env.PORT;\n";
  expect(await lint({ "server/app.ts": reads, "server/config.ts": reads })).toEqual([
    "server/app.ts lint/style/noProcessEnv",
  ]);
});
