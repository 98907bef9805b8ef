/** Finds files missing from the container image without building it; `npm run drill -- image` builds and runs it. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const STARTED = ["cli/waitlist.ts", "console/main.ts", "server/main.ts", "worker/main.ts"];
const BUILT = ["tools/build/*.ts", "site/*.{html,tsx,ts}", "console/app/*.{html,tsx}"].flatMap((glob) =>
  globSync(glob, { exclude: ["**/*.test.ts"] }),
);

/** Whether a .dockerignore pattern matches a path or one of its parent folders. */
function covers(pattern: string, path: string): boolean {
  const expression = pattern.replaceAll(".", "\\.").replaceAll("**/", "(.+/)?").replaceAll("*", "[^/]*");
  return new RegExp(`^${expression}(/|$)`).test(path);
}

const IGNORE_RULES = readFileSync(".dockerignore", "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** Whether the build context contains the file. The last matching rule decides. */
function isSent(path: string): boolean {
  const rule = IGNORE_RULES.findLast((each) => covers(each.replace(/^!/, ""), path));
  return rule === undefined || rule.startsWith("!");
}

const REFERENCES = /(?:\bfrom |\bimport |\bimport\()"([#.][^"?]+)|\bnew URL\("([^"]+)", import\.meta\.url\)/g;

/** These files and all of our files that they import or read by URL, directly or transitively. */
function localFiles(entries: string[]): string[] {
  const files = new Set(entries);
  // A set's iterator also visits files added during the loop.
  for (const file of files) {
    if (!/\.tsx?$/.test(file)) continue;
    for (const [, imported, read = ""] of readFileSync(file, "utf8").matchAll(REFERENCES)) {
      const path = imported ?? read;
      files.add(path.startsWith("#") ? path.slice(1) : join(dirname(file), path));
    }
  }
  return [...files];
}

/** The paths that each stage copies from the build context, not from another stage. */
const stages = readFileSync("Dockerfile", "utf8")
  .split(/^FROM /m)
  .slice(1)
  .map((stage) => [...stage.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = ""]) => sources.split(" ")));

test(".dockerignore lets through everything that the Dockerfile copies", () => {
  const copied = stages.flat().filter((source) => source !== ".");
  expect(copied.length).toBeGreaterThan(10);
  expect(copied.filter((source) => globSync(source).length === 0)).toEqual([]);
  expect(copied.filter((source) => !globSync(source).every(isSent))).toEqual([]);
});

test(".dockerignore lets through every file that the build imports", () => {
  const needed = localFiles(BUILT);
  expect(needed.length).toBeGreaterThan(100);
  expect(needed.filter((file) => !isSent(file))).toEqual([]);
});

test("the image contains every file that server, worker, console and command line import", () => {
  const copied = stages.at(-1) ?? [];
  const needed = localFiles(STARTED);
  expect(needed).toEqual(expect.arrayContaining(["console/start.ts", "brand/fonts/sans.woff2"]));
  const contained = (file: string) => isSent(file) && copied.some((source) => covers(source, file));
  expect(needed.filter((file) => !contained(file))).toEqual([]);
});

test("every folder of ours that compose.yaml mounts exists", () => {
  const mounted = [...readFileSync("compose.yaml", "utf8").matchAll(/"(\.\/[^":]*):/g)].map(([, path = ""]) => path);
  expect(mounted).toContain("./deploy/postgres");
  expect(mounted.filter((path) => !existsSync(path))).toEqual([]);
});
