import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeBase } from "#tests/drills/image/base.ts";
import { startDocker } from "#tests/drills/image/docker.ts";

/** A file with our image and one that holds a pod's namespaces, deleted at the end. */
export async function buildImages(): Promise<string> {
  const folder = mkdtempSync("/var/tmp/farwatch-images-");
  process.on("exit", () => rmSync(folder, { recursive: true }));
  const docker = await startDocker();
  try {
    await docker("build", "--network=host", `--build-arg=BASE=${await makeBase(docker)}`, "--tag=farwatch:1.0.0", ".");
    writeFileSync(join(folder, "Dockerfile"), 'FROM farwatch:1.0.0\nCMD ["sleep", "infinity"]\n');
    await docker("build", "--tag=pause:drill", folder);
    await docker("save", `--output=${join(folder, "images.tar")}`, "farwatch:1.0.0", "pause:drill");
  } finally {
    await docker.stop();
  }
  return join(folder, "images.tar");
}
