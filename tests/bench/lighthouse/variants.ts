import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "@playwright/test";
import { precompress } from "#tools/build/precompress.ts";
import { chromiumOptions } from "#tools/chromium.ts";
import { startSite } from "#tools/dev/running-site.ts";
import { bareReactScript } from "./bare-react.ts";

export type Variant = "ours" | "scriptless" | "bareReact";

/** Where each variant of the landing page is served. */
const PATHS: Record<Variant, string> = { ours: "/", scriptless: "/scriptless.html", bareReact: "/bare-react.html" };

/**
 * The built landing page, the same without its script, and the same with only React. All three come from one production
 * server, compressed alike: the two additions are in its folder of kept assets, named like an earlier build.
 */
export async function serveVariants(): Promise<{ urls: Record<Variant, string>; stop(): Promise<void> }> {
  const kept = await mkdtemp(join(tmpdir(), "lighthouse-"));
  const browser = await chromium.launch(chromiumOptions);
  await writeVariants(join(kept, "0".repeat(32)), await bareReactScript(browser, "dist/index.html"));
  const site = await startSite({ KEPT_ASSETS: kept });
  async function stop(): Promise<void> {
    await site.stop();
    await rm(kept, { recursive: true });
  }

  const urls = Object.fromEntries(Object.entries(PATHS).map(([name, path]) => [name, site.origin + path]));
  try {
    await requireHydration(await browser.newPage(), urls.bareReact ?? "");
  } catch (reason) {
    await stop();
    throw reason;
  } finally {
    await browser.close();
  }
  return { urls: urls as Record<Variant, string>, stop };
}

async function writeVariants(folder: string, bareReact: string): Promise<void> {
  const html = await readFile("dist/index.html", "utf8");
  const script = "/assets/bare-react.js";
  await mkdir(join(folder, "assets"), { recursive: true });
  await writeFile(join(folder, script), bareReact);
  await writeFile(join(folder, PATHS.bareReact), withScript(html, `<script type="module" src="${script}"></script>`));
  await writeFile(join(folder, PATHS.scriptless), withScript(html, ""));
  await precompress(folder);
}

function withScript(html: string, script: string): string {
  const replaced = html.replace(/<script type="module"[^>]*><\/script>/, script);
  if (replaced === html) throw new Error("The page has no script to replace");
  return replaced;
}

/** React reports a mismatch and renders again, which would make the bare page look slow and ours fast. */
async function requireHydration(page: Page, url: string): Promise<void> {
  const errors: Error[] = [];
  page.on("pageerror", (reason) => errors.push(reason));
  await page.goto(url);
  await page.waitForFunction(() =>
    [...document.querySelectorAll("#root *")].every((element) =>
      Object.keys(element).some((key) => key.startsWith("__reactFiber")),
    ),
  );
  await page.close();
  if (errors[0]) throw errors[0];
}
