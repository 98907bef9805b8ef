import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadSite } from "./site.ts";

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "farwatch-kept-"));
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(scratch, { recursive: true });
});

/** Starts a server a minute after the last start, with this script in its build. Returns the files it serves. */
function start(script: string, content = script) {
  vi.setSystemTime(Date.now() + 60_000);
  const build = join(scratch, "dist");
  rmSync(build, { recursive: true, force: true });
  mkdirSync(join(build, "assets"), { recursive: true });
  for (const page of ["index.html", "not-found.html"]) writeFileSync(join(build, page), page);
  writeFileSync(join(build, "assets", `${script}.js`), content);
  writeFileSync(join(build, "assets", `${script}.js.br`), `${content} in brotli`);
  const { files } = loadSite(build, join(scratch, "kept"));
  return { files, scripts: [...files.keys()].flatMap((path) => /^\/assets\/(.+)\.js$/.exec(path)?.[1] ?? []) };
}

test("serves the assets of earlier builds, compressed and immutable, and nothing else of them", () => {
  start("a");
  const { files } = start("b");
  expect([...files.keys()]).toEqual(["/assets/b.js", "/", "/assets/a.js"]);
  expect(files.get("/assets/a.js")).toMatchObject({
    headers: expect.objectContaining({ "cache-control": "public, max-age=31536000, immutable" }),
    bodies: { identity: Buffer.from("a"), br: Buffer.from("a in brotli") },
  });
});

test("serves only regular files below assets, and starts although a build has vanished", () => {
  start("a");
  const [build = ""] = readdirSync(join(scratch, "kept"));
  const inBuild = (path: string) => join(scratch, "kept", build, path);
  const secret = join(scratch, "secret.js");
  for (const path of [secret, inBuild("beside.txt"), inBuild("index.html")]) writeFileSync(path, "secret");
  for (const link of ["linked.js", "a.js.gz"]) symlinkSync(secret, inBuild(`assets/${link}`));
  mkdirSync(join(scratch, "elsewhere", "assets"), { recursive: true });
  writeFileSync(join(scratch, "elsewhere", "assets", "foreign.js"), "secret");
  symlinkSync(join(scratch, "elsewhere"), join(scratch, "kept", "0".repeat(32)));
  symlinkSync(join(scratch, "vanished"), join(scratch, "kept", "1".repeat(32)));
  const { files } = start("b");
  expect([...files.keys()]).toEqual(["/assets/b.js", "/", "/assets/a.js"]);
  expect(JSON.stringify([...files.values()].map(({ bodies }) => Object.values(bodies).join()))).not.toContain("secret");
});

test("keeps ten builds and deletes the one that no server has started with for longest", () => {
  for (const script of "abcdefghij") start(script);
  start("a");
  const { scripts } = start("k");
  expect(scripts.toSorted().join("")).toBe("acdefghijk");
  expect(readdirSync(join(scratch, "kept"))).toHaveLength(10);
});

test("deletes what a start that was killed has left, but not what another start is copying", () => {
  mkdirSync(join(scratch, "kept", "new-left"), { recursive: true });
  start("a");
  expect(readdirSync(join(scratch, "kept"))).toContain("new-left");
  vi.setSystemTime(Date.now() + 3_600_000);
  start("a");
  expect(readdirSync(join(scratch, "kept"))).toHaveLength(1);
});

test("never replaces an asset of the current build with a kept one", () => {
  start("a", "other words");
  expect(start("a", "ours").files.get("/assets/a.js")?.bodies.identity.toString()).toBe("ours");
});
