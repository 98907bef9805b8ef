import { domainToASCII } from "node:url";
import type { MailConfig } from "#core/config/config.ts";
import {
  checkAlignment,
  checkDkim,
  checkDmarc,
  checkSpf,
  dkimHost,
  isDmarc,
  isSpf,
  MAX_SPF_LOOKUPS,
} from "./dns-records.ts";
import { type Dns, openDns } from "./lookups.ts";
import { checkCaa, checkDnssec, checkMtaSts, checkTlsReports } from "./scanned-records.ts";

/** DNS doesn't show these, so the operator has to check them. */
const UNCHECKED = [
  "which servers your mail provider sends from: its documentation has the SPF include",
  "whether your provider replaces the envelope sender, whose domain SPF checks",
  "whether your MTA-STS policy is served and names your mail servers",
];

/** Checks the DNS records of the sender's domain. Undefined if MAIL_FROM has no address. */
export async function checkMailDns({ from, dkim }: MailConfig, dnsServer?: string) {
  const [, mailbox = "", host = ""] = /([^\s<>@]+)@([^\s<>@]+?)>?\s*$/.exec(from) ?? [];
  const domain = domainToASCII(host);
  if (!domain) return undefined;
  const address = `${mailbox}@${domain}`;
  const dns = openDns(dnsServer);
  const [spf, dmarc, key, mtaSts, tlsReports, caa, isSigned] = await Promise.all([
    dns.texts(domain),
    findNearest(domain, async (parent) => (await dns.texts(`_dmarc.${parent}`)).filter(isDmarc)),
    dkim ? dns.texts(dkimHost(dkim)) : [],
    dns.texts(`_mta-sts.${domain}`),
    dns.texts(`_smtp._tls.${domain}`),
    findNearest(domain, dns.authorities),
    dns.isSigned(domain),
  ]);
  const findings = {
    SPF: checkSpf(domain, spf, await countSpfLookups(spf, dns)),
    DKIM: checkDkim(dkim, key),
    DMARC: checkDmarc(address, domain, dmarc),
    Alignment: checkAlignment(domain, dkim, dmarc),
    "MTA-STS": checkMtaSts(domain, mtaSts),
    "TLS-RPT": checkTlsReports(address, domain, tlsReports),
    CAA: checkCaa(domain, caa.records),
    DNSSEC: checkDnssec(domain, isSigned),
  };
  const checks = Object.entries(findings).map(([name, finding]) => ({ name, ...finding }));
  return { domain, checks, unchecked: UNCHECKED };
}

/** DMARC and CAA records also apply to subdomains that have none, so this returns the nearest parent's. */
async function findNearest<Records>(domain: string, read: (parent: string) => Promise<Records[]>) {
  for (let parent = domain; parent.includes("."); parent = parent.slice(parent.indexOf(".") + 1)) {
    const records = await read(parent);
    if (records.length > 0) return { domain: parent, records };
  }
  return { domain, records: [] };
}

/** Follows includes, and stops at receivers' limit. */
async function countSpfLookups(texts: string[], dns: Dns, before = 0): Promise<number> {
  let count = before;
  for (const term of texts.find(isSpf)?.split(/\s+/) ?? []) {
    const [, name = "", host] = /^[+?~-]?(include|redirect|exists|ptr|mx|a)\b(?:[:=]([^/]+))?/i.exec(term) ?? [];
    if (name) count += 1;
    if (count > MAX_SPF_LOOKUPS) return count;
    if (host && /^(include|redirect)$/i.test(name)) count = await countSpfLookups(await dns.texts(host), dns, count);
  }
  return count;
}
