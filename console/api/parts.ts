import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Actor } from "#core/activity.ts";
import type { InvitationConfig, MailConfig } from "#core/config/config.ts";
import type { Keys } from "#core/config/keys.ts";
import type { Database } from "#core/database/connect.ts";
import type { LinkOf } from "#core/people/export-file.ts";
import type { Session } from "./session.ts";

export type ConsoleRoutes = FastifyPluginAsyncZod<ConsoleParts>;

export interface ConsoleParts {
  db: Database;
  /** Who uses the console. Every change is recorded under their name. */
  actor: Actor;
  /** Whether the routes that change something are left out. */
  isReadOnly: boolean;
  /** Undefined where mail is off. */
  mail: MailConfig | undefined;
  invitations: InvitationConfig | undefined;
  /** Signs what an erasure leaves behind; without it nobody can be erased. */
  keys: Keys | undefined;
  session: Session;
  /** The links that an export may contain; none without the servers' SECRET and PUBLIC_ORIGIN. */
  linkOf?: LinkOf | undefined;
}
