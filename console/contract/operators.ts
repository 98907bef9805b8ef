/** Operators, what they did and their webhooks, as the console's page and its API exchange them. */
import type { readEntries } from "#console/json/activity.ts";
import type { listSessions } from "#core/operators/sessions.ts";
import type { listEndpoints, readAttempts } from "#core/webhooks/endpoints.ts";
import type { Json } from "./json.ts";
import type { Role } from "./roles.ts";

export interface Me {
  product: string;
  operator: string;
  role: Role;
  /** For how many days member links work; null if exports can't contain them. */
  linkDays: number | null;
}

export type OpenSession = Json<Awaited<ReturnType<typeof listSessions>>>[number];

export type ActivityPage = Json<Awaited<ReturnType<typeof readEntries>>>;
export type ActivityEntry = ActivityPage["entries"][number];

export type Webhook = Json<Awaited<ReturnType<typeof listEndpoints>>>[number];
export type WebhookAttempt = Json<Awaited<ReturnType<typeof readAttempts>>>[number];
