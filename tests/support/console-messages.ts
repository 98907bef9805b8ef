import { generateKeyPairSync } from "node:crypto";
import { afterEach } from "vitest";
import { type Config, readConfig } from "#core/config/config.ts";
import { type ConsoleApi, openConsoleApi } from "./console-api.ts";
import { ORIGIN, SECRET, useMail } from "./mail-worker.ts";

export const ACTOR = { name: "ada", via: "console" } as const;
/** Settings with which invitations are on. */
export const INVITE = {
  INVITE_URL: "https://app.farwatch.example/join",
  INVITE_KEYS: generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};
export const NEWS = { kind: "announcement", subject: "News", body: "Hi {{firstName}}", audience: {}, pace: null };
export const INVITATION = { ...NEWS, kind: "invitation", subject: "Come in", body: "[Join]({{inviteUrl}})" };

/** For a whole test file: mail is on, and consoles that a test opens are closed after it. */
export function useMessageConsole() {
  const mail = useMail();
  const opened: ConsoleApi[] = [];
  async function open({ env, isReadOnly = false }: { env?: Record<string, string>; isReadOnly?: boolean } = {}) {
    const settings = env ?? { SECRET, PUBLIC_ORIGIN: ORIGIN, SMTP_URL: mail.smtp.url, ...INVITE };
    const config: Config = readConfig({ DATABASE_URL: mail.url, ...settings });
    const { keys, mail: mailConfig, invitations } = config;
    const parts = { db: mail.db, actor: ACTOR, keys, mail: mailConfig, invitations, isReadOnly };
    const console = await openConsoleApi(parts);
    opened.push(console);
    return console;
  }
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });
  return { mail, open };
}
