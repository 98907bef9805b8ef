import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const PAGES = globSync(["**/*.md", ".github/**/*.md"], { exclude: ["node_modules", "results", "test-results"] });

/** The anchors that GitHub gives to a page's headings. */
function anchorsOf(page: string): string[] {
  const headings = readFileSync(page, "utf8").match(/^#+ .+$/gm) ?? [];
  const toAnchor = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/^#+ |[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
  return headings.map(toAnchor);
}

function isBroken(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path ? join(dirname(page), path) : page;
  return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
}

test("every relative link in the docs leads to a file that exists, and to a heading in it", () => {
  const links = PAGES.flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, link = ""]) => ({ page, link })),
  );
  expect(links.length).toBeGreaterThan(200);
  expect(links.filter(({ page, link }) => isBroken(page, link))).toEqual([]);
});
