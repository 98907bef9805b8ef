import { createPublicKey } from "node:crypto";
import type { MailConfig } from "#core/config/config.ts";

/**
 * - missing: there is no such record;
 * - wrong: receivers ignore it, or it doesn't protect the domain;
 * - weak: mail arrives, but a security scanner reports it;
 * - unknown: only the mail provider can tell.
 */
export interface Finding {
  status: "ok" | "missing" | "wrong" | "weak" | "unknown";
  detail: string;
  record?: { host: string; type: "TXT" | "CAA"; value: string };
}

type Dkim = NonNullable<MailConfig["dkim"]>;

/** The records found for a domain, which may be a parent's. */
type Found = { domain: string; records: string[] };

export const ok = (detail: string): Finding => ({ status: "ok", detail });

/** For findings that publishing this record would fix. */
export function fixWith(host: string, value: string, type: "TXT" | "CAA" = "TXT") {
  const record = { host, type, value };
  return (status: "missing" | "wrong" | "weak", detail: string): Finding => ({ status, detail, record });
}

/** The provider's documentation has the name that goes here. */
const PROVIDER = "include:YOUR-PROVIDER";

/** Receivers ignore an SPF record that takes more lookups. */
export const MAX_SPF_LOOKUPS = 10;

export function isSpf(text: string): boolean {
  return /^v=spf1(\s|$)/i.test(text);
}

/** SPF (RFC 7208). */
export function checkSpf(domain: string, texts: string[], lookups = 0): Finding {
  const records = texts.filter(isSpf);
  const terms = [...new Set(records.flatMap((text) => text.trim().split(/\s+/).slice(1)))];
  const senders = terms.filter((term) => !/^[+?~-]?all$/i.test(term));
  const value = ["v=spf1", ...(senders.length > 0 ? senders : [PROVIDER]), "~all"].join(" ");
  const fix = fixWith(domain, value);
  if (records.length === 0) return fix("missing", `${domain} has no TXT record that starts with v=spf1.`);
  if (records.length > 1) {
    return fix("wrong", `${domain} has ${records.length} SPF records, so receivers ignore all of them. Keep only one.`);
  }
  if (senders.length === 0) return fix("wrong", "The record lets no server send mail for the domain.");
  if (!terms.some((term) => /^([~-]all$|redirect=)/i.test(term))) {
    return fix("wrong", "The record lets any server send mail for the domain. End it with ~all or -all.");
  }
  if (lookups > MAX_SPF_LOOKUPS) {
    const detail = `The record takes more than ${MAX_SPF_LOOKUPS} DNS lookups, so receivers ignore it. Keep only the providers you use.`;
    return fixWith(domain, `v=spf1 ${PROVIDER} ~all`)("wrong", detail);
  }
  return ok(records.join());
}

/** DKIM (RFC 6376): whether receivers find the key that we sign with. */
export function checkDkim(dkim: Dkim | undefined, texts: string[]): Finding {
  if (!dkim) return { status: "unknown", detail: "Without DKIM_KEY, your provider must sign your mail." };
  const host = dkimHost(dkim);
  const publicKey = createPublicKey(dkim.privateKey);
  const published = texts.map(parseTags).filter((tags) => tags.has("p"));
  // RFC 6376 asks for PKCS #1, and almost everyone publishes SPKI; receivers accept both.
  const [spki, pkcs1] = (["spki", "pkcs1"] as const).map((type) => publicKey.export({ type, format: "der" }));
  const fix = fixWith(host, `v=DKIM1; k=rsa; p=${spki?.toString("base64")}`);
  const [tags, ...others] = published;
  if (!tags) return fix("missing", `${host} has no TXT record with a key.`);
  if (others.length > 0) return fix("wrong", `${host} has ${published.length} keys. Keep only one.`);
  const key = Buffer.from(tags.get("p") ?? "", "base64");
  if (!spki?.equals(key) && !pkcs1?.equals(key)) {
    return fix("wrong", `The key at ${host} isn't the public key of DKIM_KEY.`);
  }
  if (tags.get("t")?.split(":").includes("y")) {
    return fix("wrong", "The record has t=y (testing), so receivers treat signed mail as unsigned.");
  }
  return ok(`${host} has the public key of DKIM_KEY.`);
}

export function dkimHost({ domainName, keySelector }: Omit<Dkim, "privateKey">): string {
  return `${keySelector}._domainkey.${domainName}`;
}

/** DMARC (RFC 7489) of a domain, by the records found for it or for a parent domain. */
export function checkDmarc(address: string, domain: string, found: Found): Finding {
  const host = `_dmarc.${found.domain}`;
  // Starts with p=none, because the reports then show whether anything else sends mail for the domain.
  const fix = fixWith(host, `v=DMARC1; p=none; rua=mailto:${address}`);
  const [record, ...others] = found.records;
  if (record === undefined) return fix("missing", `${host} has no TXT record that starts with v=DMARC1.`);
  if (others.length > 0) {
    return fix("wrong", `${host} has ${found.records.length} DMARC records, so receivers ignore all of them.`);
  }
  const tags = parseTags(record);
  const policy = (found.domain === domain ? undefined : tags.get("sp")) ?? tags.get("p") ?? "";
  if (!/^(none|quarantine|reject)$/i.test(policy)) {
    return fix("wrong", `The record at ${host} has no policy: p must be none, quarantine or reject.`);
  }
  if (/none/i.test(policy)) {
    const raise = fixWith(host, record.replace(/\b(s?p\s*=\s*)none/gi, "$1quarantine"));
    return raise("weak", "With p=none, forged mail is delivered. Raise it once the reports name only your servers.");
  }
  return ok(`${record} (at ${host})`);
}

export function isDmarc(text: string): boolean {
  return /^v\s*=\s*DMARC1\s*(;|$)/i.test(text);
}

/** DMARC accepts a signature only if its domain matches the domain in From. */
export function checkAlignment(domain: string, dkim: Dkim | undefined, dmarc: Found): Finding {
  if (!dkim) return { status: "unknown", detail: `Your provider must sign with d=${domain}.` };
  const signer = dkim.domainName.toLowerCase();
  const isStrict = parseTags(dmarc.records.join()).get("adkim")?.toLowerCase() === "s";
  const isWithin = (inner: string, outer: string) => inner === outer || inner.endsWith(`.${outer}`);
  const isAligned = isStrict
    ? signer === domain
    : isWithin(signer, domain) || isWithin(domain, signer) || isWithin(signer, dmarc.domain);
  if (isAligned) return ok(`MAIL_FROM is at ${domain}, and DKIM signs for ${signer}.`);
  const detail = `MAIL_FROM is at ${domain}, but DKIM signs for ${signer}, so DMARC ignores it. Set DKIM_DOMAIN=${domain}.`;
  return { status: "wrong", detail };
}

/** "v=DKIM1; p=abc": names in lower case, values without white space. */
function parseTags(text: string): Map<string, string> {
  return new Map(
    text.split(";").flatMap((part) => {
      const [, name, value] = /^\s*(\w+)\s*=(.*)$/s.exec(part) ?? [];
      return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value.replaceAll(/\s/g, "")]];
    }),
  );
}
