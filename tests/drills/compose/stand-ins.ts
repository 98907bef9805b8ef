import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cached } from "#tests/drills/debian/image.ts";
import { makeBase } from "#tests/drills/image/base.ts";
import type { Docker } from "#tests/drills/image/docker.ts";

const SOURCE = join(import.meta.dirname, "stand-ins");
export const NODE = "node:26-trixie-slim";
const FILES = [join(SOURCE, "Dockerfile"), join(SOURCE, "postgres.sh"), import.meta.filename];

/**
 * Loads the images that compose.yaml names, and our image's base. Returns a folder with Docker Compose from sid,
 * because Debian 12's is too old.
 */
export async function loadStandIns(docker: Docker): Promise<string> {
  const images = ["postgres", "nginx", "mailpit"].map((target) => ({ target, name: nameOf(target) }));
  const content = JSON.stringify([images, FILES.map((path) => readFileSync(path, "utf8"))]);
  const folder = await cached("stand-ins", content, async (part) => {
    await docker("tag", await makeBase(docker, "sid"), NODE);
    for (const { target, name } of images) {
      await docker("build", "--network=host", `--target=${target}`, `--tag=${name}`, SOURCE);
    }
    await docker("save", `--output=${join(part, "images.tar")}`, NODE, ...images.map(({ name }) => name));
    await docker("create", "--name=compose", nameOf("postgres"));
    await docker("cp", "compose:/opt/usr/libexec/docker/cli-plugins", part);
  });
  await docker("load", `--input=${join(folder, "images.tar")}`);
  return folder;
}

/** The image's name and tag in compose.yaml. */
function nameOf(image: string): string {
  const found = new RegExp(`^ +image: (\\S*${image}:[^\\s@]+)`, "m").exec(readFileSync("compose.yaml", "utf8"));
  if (!found?.[1]) throw new Error(`compose.yaml names no image of ${image}`);
  return found[1];
}
