import { Resolver } from "node:dns/promises";
import { domainToASCII } from "node:url";
import type { MailConfig } from "#core/config/config.ts";
import { checkAlignment, checkDkim, checkDmarc, checkSpf, dkimHost, isDmarc, type MailCheck } from "./dns-records.ts";

/** The DNS lookup failed, so nothing is known about the records. */
export class DnsFailure extends Error {}

/** DNS doesn't show these, so the operator has to check them. */
const UNCHECKED = [
  "which servers your mail provider sends from: its documentation has the SPF include",
  "whether your provider replaces the envelope sender, whose domain SPF checks",
  "whether the SPF record stays within ten DNS lookups",
];

/** Checks the DNS records of the sender's domain. Undefined if MAIL_FROM has no address. */
export async function checkMailDns({ from, dkim }: MailConfig, dnsServer?: string) {
  const [, mailbox = "", host = ""] = /([^\s<>@]+)@([^\s<>@]+?)>?\s*$/.exec(from) ?? [];
  const domain = domainToASCII(host);
  if (!domain) return undefined;
  const readTexts = openDns(dnsServer);
  const [spf, dmarc, key] = await Promise.all([
    readTexts(domain),
    findDmarc(domain, readTexts),
    dkim ? readTexts(dkimHost(dkim)) : [],
  ]);
  const signature: MailCheck = dkim
    ? checkDkim(dkim, key)
    : { name: "DKIM", status: "unknown", detail: "Without DKIM_KEY, your provider must sign your mail." };
  return {
    domain,
    checks: [
      checkSpf(domain, spf),
      signature,
      checkDmarc(`${mailbox}@${domain}`, domain, dmarc),
      checkAlignment(domain, dkim, dmarc),
    ],
    unchecked: UNCHECKED,
  };
}

type ReadTexts = (host: string) => Promise<string[]>;

/** A DMARC record also applies to subdomains without one, so this returns the nearest parent's. */
async function findDmarc(domain: string, readTexts: ReadTexts): Promise<{ domain: string; records: string[] }> {
  for (let parent = domain; parent.includes("."); parent = parent.slice(parent.indexOf(".") + 1)) {
    const records = (await readTexts(`_dmarc.${parent}`)).filter(isDmarc);
    if (records.length > 0) return { domain: parent, records };
  }
  return { domain, records: [] };
}

/** Reads TXT records. DNS splits a long one into several strings, which this joins. */
function openDns(server: string | undefined): ReadTexts {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (server) resolver.setServers([server]);
  return async (host) => {
    try {
      return (await resolver.resolveTxt(host)).map((strings) => strings.join(""));
    } catch (reason) {
      const { code } = reason as NodeJS.ErrnoException;
      if (code === "ENODATA" || code === "ENOTFOUND") return [];
      throw new DnsFailure(`The DNS lookup of ${host} failed: ${code}`);
    }
  };
}
