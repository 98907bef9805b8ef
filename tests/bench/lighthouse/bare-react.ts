import { pathToFileURL } from "node:url";
import type { Browser } from "@playwright/test";
import { build, type Rollup } from "vite";

/** A page's elements, texts and Suspense boundaries, as data that can leave the browser. */
type PageNode = string | { tag: string; props: Record<string, string>; children: PageNode[] };

const SUSPENSE = "Suspense";

/**
 * A script in which React hydrates the same HTML and does nothing else: one createElement call per element, no
 * components, no effects, no queries. It hydrates in a transition and with the page's Suspense boundaries, as ours
 * does.
 */
export async function bareReactScript(browser: Browser, file: string): Promise<string> {
  const children = await readPage(browser, file);
  const source = `
    import { createElement as e, Fragment, startTransition, Suspense } from "react";
    import { hydrateRoot } from "react-dom/client";
    const page = [${children.map(asCode).join()}];
    startTransition(() => {
      hydrateRoot(document.getElementById("root"), e(Fragment, null, ...page));
    });`;
  return bundle(source);
}

/** The children of #root as they are in the HTML: no script of ours runs. */
async function readPage(browser: Browser, file: string): Promise<PageNode[]> {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(pathToFileURL(file).href);
  const children = await page.evaluate((suspense) => {
    function read(parent: Node): PageNode[] {
      // React marks the start of a boundary with <!--$--> and its end with <!--/$-->.
      const lists: PageNode[][] = [[]];
      for (const node of parent.childNodes) {
        const list = lists.at(-1);
        if (node instanceof Element) {
          const props = Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]));
          list?.push({ tag: node.localName, props, children: read(node) });
        } else if (node instanceof Text) {
          list?.push(node.data);
        } else if (node instanceof Comment && node.data === "$") {
          lists.push([]);
        } else if (node instanceof Comment && node.data === "/$") {
          lists.at(-2)?.push({ tag: suspense, props: {}, children: lists.pop() ?? [] });
        }
      }
      return lists[0] ?? [];
    }
    const root = document.getElementById("root");
    return root ? read(root) : [];
  }, SUSPENSE);
  await page.close();
  return children;
}

/** React's names for attributes that differ from HTML's; a value is a default, because nothing controls the field. */
const PROPS: Record<string, string> = { class: "className", for: "htmlFor", value: "defaultValue" };

function asCode(node: PageNode): string {
  if (typeof node === "string") return JSON.stringify(node);
  const type = node.tag === SUSPENSE ? SUSPENSE : JSON.stringify(node.tag);
  const props = Object.fromEntries(Object.entries(node.props).map(([name, value]) => [PROPS[name] ?? name, value]));
  return `e(${[type, JSON.stringify(props), ...node.children.map(asCode)].join()})`;
}

async function bundle(source: string): Promise<string> {
  const entry = "bare-react.js";
  const { output } = (await build({
    configFile: false,
    logLevel: "warn",
    plugins: [
      {
        name: "bare-react",
        resolveId: (id) => (id === entry ? `\0${entry}` : undefined),
        load: (id) => (id === `\0${entry}` ? source : undefined),
      },
    ],
    build: { write: false, modulePreload: false, rolldownOptions: { input: entry } },
  })) as Rollup.RollupOutput;
  return output[0].code;
}
