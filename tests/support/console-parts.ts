import { generateKeyPairSync } from "node:crypto";
import { startConsole } from "#console/start.ts";
import { type MailConfig, readConfig } from "#core/config/config.ts";
import { createKeys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import type { Service } from "#core/service/run-service.ts";
import { startMailWorker } from "#worker/start.ts";
import { switchMail } from "./mail-on.ts";

const SECRET = "the secret of a console under test";
const INVITE_KEYS = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** Settings that turn on mail and invitations. */
export function configureMail(smtpUrl: string, databaseUrl: string): MailConfig {
  const { mail } = readConfig({
    DATABASE_URL: databaseUrl,
    SMTP_URL: smtpUrl,
    SECRET,
    PUBLIC_ORIGIN: "https://farwatch.example",
    INVITE_URL: "https://app.farwatch.example/join",
    INVITE_KEYS,
  });
  if (!mail) throw new Error("Mail is off");
  return mail;
}

export async function startAdasConsole(
  db: Database,
  { mail, isReadOnly = false, port = 0 }: { mail?: MailConfig | undefined; isReadOnly?: boolean; port?: number },
) {
  await switchMail(db, mail !== undefined);
  return startConsole({
    db,
    port,
    keys: createKeys(SECRET),
    user: { actor: { name: "ada", via: "console" }, role: isReadOnly ? "read-only" : "admin" },
    mail,
    invitations: mail?.invitations,
    webhookHosts: ["crm.example"],
  });
}

/** Sends the messages that the console starts. */
export function startConsoleWorker(mail: MailConfig, db: Database): Service {
  return startMailWorker(mail, db, () => {});
}
