import { createHash, randomUUID } from "node:crypto";
import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";

/** A tab from eleven builds ago can't load its remaining chunks. */
const MAX_BUILDS = 10;
/** Older scratch folders were left behind by a server that was killed as it started. */
const MAX_COPY_MS = 3_600_000;
const BUILD_NAME = /^[0-9a-f]{32}$/;

/**
 * Copies the assets of this build next to those of earlier builds, and returns the folders of all of them. A page that
 * was loaded before a deploy still finds the chunks it requests later.
 */
export function keepAssets(dist: string, kept: string): string[] {
  const names = readdirSync(join(dist, "assets"));
  // Each name contains a content hash, so together they identify the build.
  const target = join(kept, createHash("sha256").update(names.join("\n")).digest("hex").slice(0, 32));
  if (!existsSync(target)) {
    // Copies to a scratch folder and renames it atomically, because another server may be copying or reading too.
    const scratch = join(kept, `new-${randomUUID()}`);
    mkdirSync(join(scratch, "assets"), { recursive: true });
    for (const name of names) copyFileSync(join(dist, "assets", name), join(scratch, "assets", name));
    try {
      renameSync(scratch, target);
    } catch (reason) {
      rmSync(scratch, { recursive: true });
      if (!existsSync(target)) throw reason;
    }
  }
  // A folder's mtime is when its build last started, so the build that was just replaced sorts second and is kept.
  utimesSync(target, new Date(), new Date());
  const named = (pattern: RegExp) =>
    readdirSync(kept)
      .filter((name) => pattern.test(name))
      .map((name) => join(kept, name));
  const builds = named(BUILD_NAME)
    .map((path) => ({ path, stat: lstatSync(path, { throwIfNoEntry: false }) }))
    // Another server may have deleted one, and a symbolic link could lead anywhere.
    .filter(({ stat }) => stat?.isDirectory())
    .sort((one, other) => Number(other.stat?.mtimeMs) - Number(one.stat?.mtimeMs))
    .map(({ path }) => path);
  // Another server may be renaming its scratch folder now.
  const modifiedAt = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  const left = named(/^new-/).filter((path) => Date.now() - modifiedAt(path) > MAX_COPY_MS);
  for (const old of [...builds.splice(MAX_BUILDS), ...left]) rmSync(old, { recursive: true, force: true });
  return builds;
}
