import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeBase } from "#tests/drills/image/base.ts";
import { startDocker } from "#tests/drills/image/docker.ts";

/** Has the version that deploy/kubernetes names. */
export const IMAGE = `farwatch:${JSON.parse(readFileSync("package.json", "utf8")).version}`;

/** A file with our image and the pause image of pods. Deleted on exit. */
export async function buildImages(): Promise<string> {
  const folder = mkdtempSync("/var/tmp/farwatch-images-");
  process.on("exit", () => rmSync(folder, { recursive: true }));
  const docker = await startDocker();
  try {
    await docker("build", "--network=host", `--build-arg=BASE=${await makeBase(docker)}`, `--tag=${IMAGE}`, ".");
    writeFileSync(join(folder, "Dockerfile"), `FROM ${IMAGE}\nCMD ["sleep", "infinity"]\n`);
    await docker("build", "--tag=pause:drill", folder);
    await docker("save", `--output=${join(folder, "images.tar")}`, IMAGE, "pause:drill");
  } finally {
    await docker.stop();
  }
  return join(folder, "images.tar");
}
