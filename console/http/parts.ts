import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { InvitationConfig, MailConfig } from "#core/config/config.ts";
import type { ErasureKeys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import type { LinkOf } from "#core/transfer/export-file.ts";

export type ConsoleRoutes = FastifyPluginAsyncZod<ConsoleParts>;

export interface ConsoleParts {
  db: Database;
  /** Few connections with a statement timeout, for heavy reads. Shared if omitted. */
  reads?: Database;
  /** Undefined without mail settings. The team's console can't send test emails, so it has only what previews show. */
  mail: MailConfig | Pick<MailConfig, "from" | "origin" | "perMinute" | "postalAddress"> | undefined;
  invitations: InvitationConfig | undefined;
  /** For hashing erased addresses; without keys, nobody can be erased. */
  keys: ErasureKeys | undefined;
  /** Creates the member links of an export; undefined without the servers' SECRET and PUBLIC_ORIGIN. */
  linkOf?: LinkOf | undefined;
  /** WEBHOOK_HOSTS: none by default. */
  webhookHosts?: string[];
}
