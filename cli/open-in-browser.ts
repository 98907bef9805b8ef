import { spawn } from "node:child_process";
import { platform } from "node:os";

export function openInBrowser(file: string): void {
  const opener = { darwin: "open", win32: "explorer" }[platform() as string] ?? "xdg-open";
  // Detached, because the browser outlives this process.
  spawn(opener, [file], { stdio: "ignore", detached: true })
    .on("error", () => process.stderr.write(`Can't run ${opener}. Open ${file} yourself.\n`))
    .unref();
}
