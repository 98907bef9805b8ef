import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

/** Someone who has the console open and looks at one screen after another. */
export interface ConsoleUser {
  pid: number;
  /** The latencies of each screen's API. */
  latenciesMs: Map<string, number[]>;
  /** When each failed request ended, by performance.now(). */
  failedAt: number[];
  stop(): Promise<void>;
}

const SCREENS = {
  overview: "/api/overview",
  people: "/api/people",
  search: "/api/people?search=visitor1.1",
  filter: "/api/people?confirmed=yes&invited=yes",
  count: "/api/people/count?confirmed=yes",
  person: "/api/people/1",
  quarantine: "/api/quarantine",
  messages: "/api/messages",
};
const PAUSE_MS = 250;

export async function startConsoleUser(env: Record<string, string>): Promise<ConsoleUser> {
  const program = spawn(process.execPath, ["cli/waitlist.ts", "console"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(program, "exit");
  const { origin, hash } = await linkOf(program);
  const headers: Record<string, string> = { "sec-fetch-site": "same-origin" };
  const session = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ token: hash.slice(1) }),
  });
  headers.authorization = `Bearer ${(await session.json()).id}`;

  const latenciesMs = new Map<string, number[]>();
  const failedAt: number[] = [];
  let isStopping = false;

  async function look(screen: string, path: string): Promise<void> {
    const startedAt = performance.now();
    const status = await fetch(origin + path, { headers }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    latenciesMs.set(screen, [...(latenciesMs.get(screen) ?? []), performance.now() - startedAt]);
    if (status !== 200) failedAt.push(performance.now());
  }
  async function lookAround(): Promise<void> {
    const exists = async (path: string) => (await fetch(origin + path, { headers })).status !== 404;
    const screens: [string, string][] = [];
    for (const screen of Object.entries(SCREENS)) if (await exists(screen[1])) screens.push(screen);
    for (let visit = 0; !isStopping; visit += 1) {
      const [screen, path] = screens[visit % screens.length] ?? ["", ""];
      await look(screen, path);
      await pause(PAUSE_MS);
    }
  }
  const looking = lookAround();
  return {
    pid: program.pid ?? 0,
    latenciesMs,
    failedAt,
    async stop() {
      isStopping = true;
      await looking;
      program.kill("SIGTERM");
      await exited;
    },
  };
}

/** The link that it prints. */
async function linkOf(program: ChildProcess): Promise<URL> {
  if (program.stdout) {
    for await (const line of createInterface(program.stdout)) {
      const link = /http:\S+/.exec(line)?.[0];
      if (link) return new URL(link);
    }
  }
  throw new Error("The console did not start");
}
