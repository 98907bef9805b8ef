import { createPublicKey } from "node:crypto";
import type { MailConfig } from "#core/config/config.ts";

/**
 * - missing: there is no such record;
 * - wrong: receivers ignore it, or it doesn't protect the domain;
 * - weak: mail arrives, but so does forged mail;
 * - unknown: only the mail provider can tell.
 */
export interface Finding {
  status: "ok" | "missing" | "wrong" | "weak" | "unknown";
  detail: string;
  /** The TXT record to publish. */
  record?: { host: string; value: string };
}

type Dkim = NonNullable<MailConfig["dkim"]>;

/** Receivers ignore an SPF record that takes more lookups. */
export const MAX_SPF_LOOKUPS = 10;

export const isSpf = (text: string) => /^v=spf1(\s|$)/i.test(text);
export const isDmarc = (text: string) => /^v\s*=\s*DMARC1\s*(;|$)/i.test(text);

export function dkimHost({ domainName, keySelector }: Omit<Dkim, "privateKey">): string {
  return `${keySelector}._domainkey.${domainName}`;
}

const wrong = (detail: string): Finding => ({ status: "wrong", detail });

/** SPF (RFC 7208). */
export function checkSpf(host: string, texts: string[], lookups = 0): Finding {
  const [record, ...others] = texts.filter(isSpf);
  if (record === undefined) {
    const suggested = { host, value: "v=spf1 include:YOUR-PROVIDER ~all" };
    return { status: "missing", detail: `${host} has no TXT record that starts with v=spf1.`, record: suggested };
  }
  if (others.length > 0) return wrong(`${host} has several SPF records, so receivers ignore all of them. Merge them.`);
  const terms = record.trim().split(/\s+/).slice(1);
  if (terms.every((term) => /^[~-]all$/i.test(term))) return wrong("The record lets no server send mail.");
  if (!terms.some((term) => /^([~-]all$|redirect=)/i.test(term))) {
    return wrong("The record lets any server send mail for the domain. End it with ~all or -all.");
  }
  if (lookups > MAX_SPF_LOOKUPS) {
    return wrong(`The record takes more than ${MAX_SPF_LOOKUPS} DNS lookups, so receivers ignore it.`);
  }
  return { status: "ok", detail: `${record} (${lookups} of ${MAX_SPF_LOOKUPS} DNS lookups)` };
}

/** DKIM (RFC 6376): whether receivers find the key that we sign with. */
export function checkDkim(dkim: Dkim | undefined, texts: string[]): Finding {
  if (!dkim) return { status: "unknown", detail: "Without DKIM_KEY, your provider must sign your mail." };
  const host = dkimHost(dkim);
  const publicKey = createPublicKey(dkim.privateKey);
  // RFC 6376 asks for PKCS #1, and almost everyone publishes SPKI; receivers accept both.
  const [spki, pkcs1] = (["spki", "pkcs1"] as const).map((type) =>
    publicKey.export({ type, format: "der" }).toString("base64"),
  );
  const record = { host, value: `v=DKIM1; k=rsa; p=${spki}` };
  const [key, ...others] = texts.flatMap((text) => parseTags(text).get("p") ?? []);
  if (key === undefined) return { status: "missing", detail: `${host} has no TXT record with a key.`, record };
  if (others.length > 0) return { ...wrong(`${host} has several keys. Keep only one.`), record };
  if (key !== spki && key !== pkcs1) {
    return { ...wrong(`The key at ${host} isn't the public key of DKIM_KEY.`), record };
  }
  return { status: "ok", detail: `${host} has the public key of DKIM_KEY.` };
}

/** DMARC (RFC 7489) of a domain, by the records found for it or for its parent, and by the domain that DKIM signs for. */
export function checkDmarc(address: string, found: { domain: string; records: string[] }, signer?: string): Finding {
  const domain = address.slice(address.indexOf("@") + 1);
  const host = `_dmarc.${found.domain}`;
  const [record, ...others] = found.records;
  if (record === undefined) {
    // Starts with p=none, because the reports then show whether anything else sends mail for the domain.
    const suggested = { host, value: `v=DMARC1; p=none; rua=mailto:${address}` };
    return { status: "missing", detail: `${host} has no TXT record that starts with v=DMARC1.`, record: suggested };
  }
  if (others.length > 0) return wrong(`${host} has several DMARC records, so receivers ignore all of them.`);
  const tags = parseTags(record);
  const policy = (found.domain === domain ? undefined : tags.get("sp")) ?? tags.get("p") ?? "";
  if (!/^(none|quarantine|reject)$/i.test(policy)) {
    return wrong(`The record at ${host} has no policy: p must be none, quarantine or reject.`);
  }
  const isAligned = `.${signer}`.endsWith(`.${found.domain}`) || `.${domain}`.endsWith(`.${signer}`);
  if (signer && !isAligned) {
    return wrong(
      `MAIL_FROM is at ${domain}, but DKIM signs for ${signer}, so DMARC ignores it. Set DKIM_DOMAIN=${domain}.`,
    );
  }
  if (/none/i.test(policy)) {
    const detail = `${host} has p=none, so forged mail is delivered. Once the reports name only your servers, set p=quarantine.`;
    return { status: "weak", detail };
  }
  return { status: "ok", detail: `${record} (at ${host})` };
}

/** "v=DKIM1; p=abc": names in lower case, values without white space. */
function parseTags(text: string): Map<string, string> {
  const tags = text.split(";").map((part) => part.replaceAll(/\s/g, "").split(/=(.*)/));
  return new Map(tags.map(([name = "", value = ""]) => [name.toLowerCase(), value]));
}
