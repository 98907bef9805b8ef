import { X509Certificate } from "node:crypto";
import type { Database } from "#core/database/connect.ts";

/** Limits what a stranger can make a worker fetch. */
const MAX_CERTIFICATES = 20;

export function isSnsUrl(url: string): boolean {
  return /^https:\/\/sns\.[a-z]{2}(-[a-z]+)+-\d\.amazonaws\.com(\.cn)?\//.test(url);
}

/** Only SNS itself publishes at these URLs. */
export function isCertificateUrl(url: string): boolean {
  return isSnsUrl(url) && /^[^/]+\/\/[^/]+\/SimpleNotificationService-\w+\.pem$/.test(url);
}

/** The stored certificate. Notes the URL of an unknown one for the mail worker, because a server can't connect out. */
export async function readCertificate({ pool }: Database, url: string): Promise<string | null | undefined> {
  const { rows } = await pool.query<{ pem: string | null }>("select pem from sns_certificates where url = $1", [url]);
  const insert = `insert into sns_certificates select $1 where (select count(*) from sns_certificates) < ${MAX_CERTIFICATES}`;
  if (!rows[0]) await pool.query(`${insert} on conflict do nothing`, [url]);
  return rows[0]?.pem;
}

/** Fetches the certificates that servers noted. Forgets a URL without one, so that it won't count toward the limit. */
export async function fetchCertificates({ pool }: Database, get: typeof fetch = fetch): Promise<void> {
  const { rows } = await pool.query<{ url: string }>("select url from sns_certificates where pem is null");
  for (const { url } of rows) {
    const pem = isCertificateUrl(url) ? await fetchCertificate(url, get).catch(() => undefined) : undefined;
    if (pem) await pool.query("update sns_certificates set pem = $2 where url = $1", [url, pem]);
    else await pool.query("delete from sns_certificates where url = $1", [url]);
  }
}

async function fetchCertificate(url: string, get: typeof fetch): Promise<string> {
  const response = await get(url, { redirect: "error", signal: AbortSignal.timeout(10_000) });
  return new X509Certificate(await response.text()).toString();
}
