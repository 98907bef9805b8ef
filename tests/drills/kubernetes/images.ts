import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeBase } from "#tests/drills/image/base.ts";
import { startDocker } from "#tests/drills/image/docker.ts";

export const VERSIONS = ["farwatch:1.0.0", "farwatch:1.0.1"] as const;
let built: Promise<string> | undefined;

/** Our image under two versions, and one that holds a pod's namespaces; built once, and deleted at the end. */
export function buildImages(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  const folder = mkdtempSync("/var/tmp/farwatch-images-");
  process.on("exit", () => rmSync(folder, { recursive: true }));
  const docker = await startDocker();
  try {
    const [version, next] = VERSIONS;
    await docker("build", "--network=host", `--build-arg=BASE=${await makeBase(docker)}`, `--tag=${version}`, ".");
    await docker("tag", version, next);
    writeFileSync(join(folder, "Dockerfile"), `FROM ${version}\nCMD ["sleep", "infinity"]\n`);
    await docker("build", "--tag=pause:drill", folder);
    await docker("save", `--output=${join(folder, "images.tar")}`, ...VERSIONS, "pause:drill");
  } finally {
    await docker.stop();
  }
  return join(folder, "images.tar");
}
