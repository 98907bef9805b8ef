import { existsSync } from "node:fs";
import type { LaunchOptions } from "@playwright/test";

type ChromiumOptions = LaunchOptions & { executablePath: string; args: string[] };

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const quiet =
  "--no-sandbox --disable-background-networking --disable-component-update --disable-sync --no-first-run".split(" ");

/** Debian's Chromium, with software WebGL and without background network requests. */
export const chromiumOptions: ChromiumOptions = {
  executablePath,
  args: [...quiet, "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
};

/** The same engine without a window, in which a test takes two thirds of the time. */
const shell = "/usr/lib/chromium/chromium-headless-shell";
const windowless: ChromiumOptions = {
  executablePath: existsSync(shell) ? shell : executablePath,
  // Fonts without hinting, as in a window.
  args: [...quiet, "--font-render-hinting=none"],
};

/** Only WebGL uses the software GPU: if it also draws the page, a test takes four times as long. */
export const chromiumWithWebgl: ChromiumOptions = {
  ...windowless,
  args: [...windowless.args, "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"],
};

/** Without a GPU: no WebGL, not even in workers, where `--disable-3d-apis` leaves it on. */
export const chromiumWithoutWebgl: ChromiumOptions = {
  ...windowless,
  args: [...windowless.args, "--disable-gpu", "--disable-software-rasterizer"],
};
