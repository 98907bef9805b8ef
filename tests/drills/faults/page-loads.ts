import { setTimeout as pause } from "node:timers/promises";

const HASHED = /[\w-]+-[\w-]{8}\.(?:js|css|woff2)/g;

/** Loads the page and, recursively, the assets it refers to. Returns their paths and the failed requests. */
export async function loadPage(origin: string): Promise<{ paths: string[]; failures: string[] }> {
  const paths = new Set(["/"]);
  const failures: string[] = [];
  for (const path of paths) {
    const { status, text } = await load(origin + path);
    if (status !== 200) failures.push(`${status} ${path}`);
    for (const [name] of text.matchAll(HASHED)) paths.add(`/assets/${name}`);
  }
  return { paths: [...paths], failures };
}

/** The status is 599 if the connection broke. */
async function load(url: string): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url);
    return { status: response.status, text: await response.text() };
  } catch (reason) {
    return { status: 599, text: String(reason) };
  }
}

/** Loads the page again and again until the work is done. Returns the failed requests. */
export async function loadPagesDuring(origin: string, work: () => Promise<void>): Promise<string[]> {
  const failures: string[] = [];
  let state: "loading" | "stopping" = "loading";

  async function loadRepeatedly(): Promise<void> {
    for (; state === "loading"; await pause(20)) failures.push(...(await loadPage(origin)).failures);
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
