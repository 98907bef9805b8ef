import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The lint rules that fire when the given files exist, each as "path rule". */
export async function lint(files: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "farwatch-lint-"));
  try {
    for (const name of ["biome.json", "package.json"]) await copyFile(name, join(folder, name));
    for (const [path, source] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), source);
    }
    const biome = join(process.cwd(), "node_modules/.bin/biome");
    const report = await new Promise<string>((resolve) => {
      execFile(
        biome,
        ["lint", "--vcs-enabled=false", "--reporter=json", "--max-diagnostics=none"],
        { cwd: folder },
        (_failed, out) => resolve(out),
      );
    });
    const { diagnostics } = JSON.parse(report) as { diagnostics: { category: string; location: { path: string } }[] };
    return diagnostics.map(({ category, location }) => `${location.path} ${category}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
