import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";

function openInBrowser(target: string): void {
  const opener = { darwin: "open", win32: "explorer" }[platform() as string] ?? "xdg-open";
  // Detached, because the browser outlives this process.
  spawn(opener, [target], { stdio: "ignore", detached: true })
    .on("error", () => process.stderr.write(`Can't run ${opener}. Open ${target} yourself.\n`))
    .unref();
}

/**
 * Opens a secret URL through a page in a private folder, because every user of the machine can read the arguments of a
 * process. Deletes the page once the URL has been used.
 */
export async function openSecretUrl(url: string, used: Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "waitlist-console-"));
  const page = join(folder, "open.html");
  await writeFile(page, `<!doctype html><meta http-equiv="refresh" content="0; url=${url}">`, { mode: 0o600 });
  openInBrowser(page);
  await used;
  await rm(folder, { recursive: true });
}
