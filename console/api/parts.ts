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
  /** The console's user. Every change is recorded under their name. */
  actor: Actor;
  /** If true, the routes that change data aren't registered. */
  isReadOnly: boolean;
  /** Undefined if mail is off. */
  mail: MailConfig | undefined;
  invitations: InvitationConfig | undefined;
  /** Hash erased addresses; without keys, nobody can be erased. */
  keys: Keys | undefined;
  session: Session;
  /** Creates the member links of an export; undefined without the servers' SECRET and PUBLIC_ORIGIN. */
  linkOf?: LinkOf | undefined;
}
