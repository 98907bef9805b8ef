import { expect, test } from "vitest";
import { loadSite } from "./site.ts";

test("reports a missing build, with the command that creates it", () => {
  expect(() => loadSite("nowhere")).toThrow("There is no built page in nowhere. Run: npm run build");
});
