import { createHash, randomUUID } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";

/** A tab that was opened eleven builds ago has to do without what it hasn't loaded. */
const MAX_BUILDS = 10;
const BUILD = /^[0-9a-f]{32}$/;

/**
 * Puts the assets of this build beside those of the builds before it, and answers the folders of all. A page that was
 * loaded before its server was replaced asks for the rest of itself later: it finds it here.
 */
export function keepAssets(site: string, kept: string): string[] {
  const names = readdirSync(join(site, "assets"));
  // Each name has a hash of its content in it, so together they tell one build from another.
  const place = join(kept, createHash("sha256").update(names.join("\n")).digest("hex").slice(0, 32));
  if (!existsSync(place)) {
    // Whole or not at all: another server may be doing the same, or reading.
    const scratch = join(kept, `new-${randomUUID()}`);
    mkdirSync(join(scratch, "assets"), { recursive: true });
    for (const name of names) copyFileSync(join(site, "assets", name), join(scratch, "assets", name));
    try {
      renameSync(scratch, place);
    } catch (reason) {
      rmSync(scratch, { recursive: true });
      if (!existsSync(place)) throw reason;
    }
  }
  // By when a server last started with it, so that what has just been replaced is the last to go but one.
  utimesSync(place, new Date(), new Date());
  const builds = readdirSync(kept)
    .filter((name) => BUILD.test(name))
    .map((name) => join(kept, name))
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  for (const old of builds.splice(MAX_BUILDS)) rmSync(old, { recursive: true, force: true });
  return builds;
}
