import { promises as dns } from "node:dns";
import { domainToASCII } from "node:url";
import type { MailConfig } from "#core/config/config.ts";
import { checkDkim, checkDmarc, checkSpf, dkimHost, isDmarc, isSpf, MAX_SPF_LOOKUPS } from "./dns-records.ts";

/** The DNS lookup failed, so nothing is known about the records. */
export class DnsFailure extends Error {}

/** Checks the DNS records of the sender's domain. Undefined if MAIL_FROM has no address. */
export async function checkMailDns({ from, dkim }: MailConfig) {
  const [, mailbox = "", host = ""] = /([^\s<>@]+)@([^\s<>@]+?)>?\s*$/.exec(from) ?? [];
  const domain = domainToASCII(host);
  if (!domain) return undefined;
  const [spf, dmarc, keys] = await Promise.all([
    readTexts(domain),
    findDmarc(domain),
    dkim ? readTexts(dkimHost(dkim)) : [],
  ]);
  const checks = [
    { name: "SPF", ...checkSpf(domain, spf, await countSpfLookups(spf)) },
    { name: "DKIM", ...checkDkim(dkim, keys) },
    { name: "DMARC", ...checkDmarc(`${mailbox}@${domain}`, dmarc, dkim?.domainName.toLowerCase()) },
  ];
  return { domain, checks };
}

/** DNS splits a long TXT record into several strings, which this joins. */
async function readTexts(host: string): Promise<string[]> {
  try {
    return (await dns.resolveTxt(host)).map((strings) => strings.join(""));
  } catch (reason) {
    const { code } = reason as NodeJS.ErrnoException;
    if (code === "ENODATA" || code === "ENOTFOUND") return [];
    throw new DnsFailure(`The DNS lookup of ${host} failed: ${code}`);
  }
}

/** A DMARC record also applies to subdomains that have none, so this returns the nearest parent's. */
async function findDmarc(domain: string): Promise<{ domain: string; records: string[] }> {
  for (let parent = domain; parent.includes("."); parent = parent.slice(parent.indexOf(".") + 1)) {
    const records = (await readTexts(`_dmarc.${parent}`)).filter(isDmarc);
    if (records.length > 0) return { domain: parent, records };
  }
  return { domain, records: [] };
}

/** Follows includes, and stops at receivers' limit. */
async function countSpfLookups(texts: string[], before = 0): Promise<number> {
  let count = before;
  for (const term of texts.find(isSpf)?.split(/\s+/) ?? []) {
    const [, name = "", host] = /^[+?~-]?(include|redirect|exists|ptr|mx|a)\b(?:[:=]([^/]+))?/i.exec(term) ?? [];
    if (name) count += 1;
    if (count > MAX_SPF_LOOKUPS) return count;
    if (host && /^(include|redirect)$/i.test(name)) count = await countSpfLookups(await readTexts(host), count);
  }
  return count;
}
