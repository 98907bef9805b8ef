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

/** The same engine without a window. Tests take two thirds of the time in it. */
const shell = "/usr/lib/chromium/chromium-headless-shell";
const windowless: ChromiumOptions = {
  executablePath: existsSync(shell) ? shell : executablePath,
  // Turns off font hinting, as it is in a window.
  args: [...quiet, "--font-render-hinting=none"],
};

/** Uses the software GPU only for WebGL, because a test takes four times as long if that GPU also draws the page. */
export const chromiumWithWebgl: ChromiumOptions = {
  ...windowless,
  args: [...windowless.args, "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"],
};

/** Without a GPU, workers have no WebGL either; `--disable-3d-apis` would leave it on there. */
export const chromiumWithoutWebgl: ChromiumOptions = {
  ...windowless,
  args: [...windowless.args, "--disable-gpu", "--disable-software-rasterizer"],
};
