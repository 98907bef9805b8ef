import { spawn } from "node:child_process";
import { platform } from "node:os";

export function openInBrowser(target: string): void {
  const opener = { darwin: "open", win32: "explorer" }[platform() as string] ?? "xdg-open";
  // Detached, because the browser outlives this process.
  spawn(opener, [target], { stdio: "ignore", detached: true })
    .on("error", () => process.stderr.write(`Can't run ${opener}. Open ${target} yourself.\n`))
    .unref();
}
