import { setTimeout as pause } from "node:timers/promises";
import type { Email } from "postal-mime";
import { UNSUBSCRIBE_PATH } from "#contract/paths.ts";
import type { MailSink } from "#tests/support/mail-sink.ts";

/** The links in one mail, as the recipient and their mail provider would use them. */
export interface MailedLinks {
  page: string;
  unsubscribe: string;
}

/** How many people confirm, and how many others unsubscribe. */
export const LINKS = 10;

/** From the newest mails of that version. Version 1.0.0's unsubscribe link is below that of the member page. */
export async function collectLinks(smtp: MailSink, version: "1.0.0" | "next"): Promise<MailedLinks[]> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const links = (await smtp.recent()).map(linksOf);
    const chosen = links.filter(({ unsubscribe }) => unsubscribe.includes(UNSUBSCRIBE_PATH) === (version === "next"));
    if (chosen.length >= 2 * LINKS) return chosen.slice(-2 * LINKS);
    await pause(100);
  }
  throw new Error(`Too few mails of ${version} arrived within a minute`);
}

function linksOf(mail: Email): MailedLinks {
  const header = mail.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "";
  return {
    page: /https:\/\/\S+\/membership\/[\w.-]+/.exec(mail.text ?? "")?.[0] ?? "",
    unsubscribe: /<(.+)>/.exec(header)?.[1] ?? "",
  };
}

/** Opens the pages and confirms the addresses. Returns the requests that failed. */
export async function confirmBy(links: MailedLinks[], origin: string): Promise<string[]> {
  const failures: string[] = [];
  for (const { page } of links) {
    failures.push(...(await request("GET", page, origin, 200)));
    failures.push(...(await request("POST", `${page}/confirm`, origin, 303)));
    failures.push(...(await request("GET", page, origin, 200)));
  }
  return failures;
}

/** As a mail provider does it (RFC 8058). */
export async function unsubscribeBy(links: MailedLinks[], origin: string): Promise<string[]> {
  const failures: string[] = [];
  for (const { unsubscribe } of links) failures.push(...(await request("POST", unsubscribe, origin, 200, 204)));
  return failures;
}

async function request(method: string, link: string, origin: string, ...expected: number[]): Promise<string[]> {
  const { pathname } = new URL(link);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const { status } = await fetch(origin + pathname, {
    method,
    redirect: "manual",
    ...(method === "POST" && { headers: form, body: "List-Unsubscribe=One-Click" }),
  });
  // The token is left out: it is as long as the rest of the report.
  return expected.includes(status) ? [] : [`${method} ${pathname.replace(/\d[\w.-]{50,}/, "…")} got ${status}`];
}
