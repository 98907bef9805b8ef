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

/** The same engine without a window, in which tests take a third less time. */
const shell = "/usr/lib/chromium/chromium-headless-shell";
const windowless: ChromiumOptions = {
  executablePath: existsSync(shell) ? shell : executablePath,
  // Turns off font hinting, as in Chromium with a window.
  args: [...quiet, "--font-render-hinting=none"],
};

/** Uses the software GPU only for WebGL, because a test takes four times as long if that GPU also draws the page. */
export const chromiumWithWebgl: ChromiumOptions = {
  ...windowless,
  args: [...windowless.args, "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing"],
};

/** Disables the GPU, because `--disable-3d-apis` would leave WebGL on in workers. */
export const chromiumWithoutWebgl: ChromiumOptions = {
  ...windowless,
  args: [...windowless.args, "--disable-gpu", "--disable-software-rasterizer"],
};
