import { setTimeout as pause } from "node:timers/promises";

const HASHED = /[\w-]+-[\w-]{8}\.(?:js|css|woff2)/g;

/** Loads the page and, recursively, the assets it refers to, until the work is done. Returns the failed requests. */
export async function loadPagesDuring(origin: string, work: () => Promise<void>): Promise<string[]> {
  const failures: string[] = [];
  let state: "loading" | "stopping" = "loading";

  async function loadPage(): Promise<void> {
    const paths = new Set(["/"]);
    for (const path of paths) {
      const response = await fetch(origin + path).catch((reason) => new Response(String(reason), { status: 599 }));
      const text = await response.text();
      if (response.status !== 200) failures.push(`${response.status} ${path}`);
      for (const [name] of text.matchAll(HASHED)) paths.add(`/assets/${name}`);
    }
  }
  async function loadRepeatedly(): Promise<void> {
    for (; state === "loading"; await pause(20)) await loadPage();
  }

  const visitors = Promise.all([loadRepeatedly(), loadRepeatedly()]);
  try {
    await work();
  } finally {
    state = "stopping";
    await visitors;
  }
  return failures;
}
