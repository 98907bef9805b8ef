import { setTimeout as pause } from "node:timers/promises";

const HASHED = /[\w-]+-[\w-]{8}\.(?:js|css|woff2)/g;

/** What visitors load while the work is done: the page, what it names, and what that names. Answers what wasn't there. */
export async function whileVisiting(origin: string, work: () => Promise<void>): Promise<string[]> {
  const failures: string[] = [];
  let state: "visiting" | "over" = "visiting";

  async function visit(): Promise<void> {
    const paths = new Set(["/"]);
    for (const path of paths) {
      const answer = await fetch(origin + path).catch((reason) => new Response(String(reason), { status: 599 }));
      const text = await answer.text();
      if (answer.status !== 200) failures.push(`${answer.status} ${path}`);
      for (const [name] of text.matchAll(HASHED)) paths.add(`/assets/${name}`);
    }
  }
  async function visitAgainAndAgain(): Promise<void> {
    for (; state === "visiting"; await pause(20)) await visit();
  }

  const visits = Promise.all([visitAgainAndAgain(), visitAgainAndAgain()]);
  try {
    await work();
  } finally {
    state = "over";
    await visits;
  }
  return failures;
}
