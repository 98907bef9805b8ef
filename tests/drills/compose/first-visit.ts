import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import PostalMime from "postal-mime";
import { WAITLIST_PATH } from "#contract/paths.ts";
import { send } from "#tests/drills/harness/http.ts";
import { until } from "#tests/drills/harness/until.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const INBOX = "http://localhost:8025/mail/new/";
const JSON_TYPE = { "content-type": "application/json" };
const ADA = "ada@example.com";

/** Signs Ada up, and confirms her address with the link in the caught email. */
export async function confirmByMail(origin: string): Promise<void> {
  const body = JSON.stringify(aSignUp({ email: ADA }));
  await send(origin + WAITLIST_PATH, { method: "POST", headers: JSON_TYPE }, body);
  const file = await until("a mail is caught", async () => /href="([^"]+)"/.exec((await send(INBOX)).text)?.[1]);
  const { text = "" } = await PostalMime.parse((await send(INBOX + file)).text);
  const link = /http:\S+/.exec(text)?.[0];
  const { status } = await send(`${link}/confirm`, { method: "POST" });
  if (status !== 303) throw new Error(`The link in the mail responds ${status}: ${text}`);
}

/** Opens the console at the printed link. Returns whether it lists Ada as confirmed and refuses another host name. */
export async function openConsole(command: string, options: SpawnOptions): Promise<boolean> {
  // Runs in a terminal, so that Ctrl-C works.
  const terminal = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    ...options,
    stdio: "pipe",
  });
  const exited = once(terminal, "exit");
  try {
    for await (const line of createInterface(terminal.stdout)) {
      const [url = "", token] = line.trim().split("#");
      if (!token) continue;
      const own = { ...JSON_TYPE, "sec-fetch-site": "same-origin" };
      const { text } = await send(`${url}api/session`, { method: "POST", headers: own }, JSON.stringify({ token }));
      const authorization = `Bearer ${JSON.parse(text).id}`;
      const people = await send(`${url}api/people?confirmed=yes`, { headers: { ...own, authorization } });
      const other = await send(url, { headers: { ...own, host: "farwatch.example:4400" } });
      return people.text.includes(ADA) && other.status === 421;
    }
    return false;
  } finally {
    terminal.stdin.write("\u0003");
    await exited;
  }
}
