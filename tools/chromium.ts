import type { LaunchOptions } from "@playwright/test";

type ChromiumOptions = LaunchOptions & { executablePath: string; args: string[] };

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const quiet = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** Debian's Chromium, with software WebGL and without background network requests. */
export const chromiumOptions: ChromiumOptions = {
  executablePath,
  args: [...quiet, "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
};

/** The same without a GPU: no WebGL, not even in workers, where `--disable-3d-apis` leaves it on. */
export const chromiumWithoutWebgl: ChromiumOptions = {
  executablePath,
  args: [...quiet, "--disable-gpu", "--disable-software-rasterizer"],
};
