import { createHmac } from "node:crypto";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import type { Config } from "#core/config.ts";
import type { Database } from "#core/database/connect.ts";
import { openSender } from "#core/mail/sender.ts";
import { membershipToken } from "#core/members/token.ts";
import { startMailWorker } from "#worker/mail/worker.ts";

const LINK_WORKS_FOR_MS = 30 * 24 * 3_600_000;

/** The mail worker as the configuration has it, or undefined where no mail is sent. */
export async function startMail(
  config: Config,
  db: Database,
  onError: (reason: unknown) => void,
): Promise<{ stop(): Promise<void> } | undefined> {
  const { SMTP_URL, MAIL_FROM, MAIL_PER_MINUTE, SECRET = "", PUBLIC_ORIGIN = "", DATABASE_URL } = config;
  if (!SMTP_URL) return undefined;
  const { hostname } = new URL(PUBLIC_ORIGIN);
  return startMailWorker({
    db,
    databaseUrl: DATABASE_URL,
    sender: openSender({ url: SMTP_URL, from: MAIL_FROM, dkim: dkimOf(config) }),
    perMinute: MAIL_PER_MINUTE,
    pageOf(member) {
      const token = membershipToken(SECRET, member, new Date(Date.now() + LINK_WORKS_FOR_MS));
      return `${PUBLIC_ORIGIN}${MEMBERSHIP_PATH}/${token}`;
    },
    messageIdOf({ signUpId, number }) {
      const name = createHmac("sha256", SECRET).update(`mail ${signUpId} ${number}`).digest("hex").slice(0, 32);
      return `<${name}@${hostname}>`;
    },
    onError,
  });
}

function dkimOf({ DKIM_DOMAIN, DKIM_SELECTOR, DKIM_KEY }: Config) {
  if (!DKIM_DOMAIN || !DKIM_SELECTOR || !DKIM_KEY) return undefined;
  return { domainName: DKIM_DOMAIN, keySelector: DKIM_SELECTOR, privateKey: DKIM_KEY };
}
