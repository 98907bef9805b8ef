import type { LaunchOptions } from "@playwright/test";

/** Debian's Chromium, with software WebGL and without background network requests. */
export const chromiumOptions: LaunchOptions & { args: string[] } = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
  ],
};

export const WITHOUT_WEBGL = "--disable-3d-apis";
