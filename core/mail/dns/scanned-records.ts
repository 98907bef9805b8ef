/** Mail arrives without these records, but a customer's security scanner reports that they are missing. */
import type { CaaRecord } from "node:dns";
import { type Finding, fixWith, ok } from "./dns-records.ts";

/** TLS for mail to the domain (RFC 8461). */
export function checkMtaSts(domain: string, texts: string[]): Finding {
  const detail = `Mail to ${domain} may be sent without TLS. First serve a policy at https://mta-sts.${domain}/.well-known/mta-sts.txt.`;
  return checkText(`_mta-sts.${domain}`, "v=STSv1; id=1", detail, texts);
}

/** Reports of mail that couldn't be sent with TLS (RFC 8460). */
export function checkTlsReports(address: string, domain: string, texts: string[]): Finding {
  const detail = `No one tells you if mail to ${domain} can't be sent with TLS.`;
  return checkText(`_smtp._tls.${domain}`, `v=TLSRPTv1; rua=mailto:${address}`, detail, texts);
}

function checkText(host: string, value: string, detail: string, texts: string[]): Finding {
  const [version = ""] = value.split(";");
  const [found, ...others] = texts.filter((text) => text.startsWith(`${version};`));
  if (found && others.length === 0) return ok(found);
  const reason = found ? `${host} has ${others.length + 1} records, so senders ignore all of them.` : detail;
  return fixWith(host, value)("weak", reason);
}

/** Who may issue certificates for the domain (RFC 8659). */
export function checkCaa(domain: string, records: CaaRecord[]): Finding {
  const issuers = records.flatMap(({ issue }) => issue ?? []);
  if (issuers.length > 0) return ok(`${issuers.join(", ")} may issue certificates.`);
  const detail = `Any authority may issue certificates for ${domain}. Publish a record for each one that you use.`;
  return fixWith(domain, '0 issue "letsencrypt.org"', "CAA")("weak", detail);
}

export function checkDnssec(domain: string, isSigned: boolean | undefined): Finding {
  if (isSigned) return ok(`${domain} is signed.`);
  if (isSigned === undefined) {
    return { status: "unknown", detail: "This DNS server doesn't validate. Try --dns-server 9.9.9.9." };
  }
  const detail =
    "Anyone on the way can forge the domain's records. Turn it on at your DNS provider, and publish the DS record that it shows you at your registrar.";
  return { status: "weak", detail };
}
