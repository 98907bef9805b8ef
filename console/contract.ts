/** The JSON that the console's page and its API exchange. */
import type { readEntries } from "#console/api/activity.ts";
import type { readPerson } from "#console/api/person.ts";
import type { readEntries as readQuarantined } from "#console/api/quarantine.ts";
import type { ExportStatus as StartedExport } from "#console/api/started-exports.ts";
import type { Role } from "#console/contract/roles.ts";
import type { Json } from "#console/json.ts";
import type { listEndpoints, readAttempts } from "#core/hooks/endpoints.ts";
import type { listSessions } from "#core/operators/sessions.ts";
import type { PeoplePage as People } from "#core/people/people-page.ts";
import type { release } from "#core/sign-ups/quarantine.ts";

export interface Me {
  product: string;
  operator: string;
  role: Role;
  /** For how many days member links work; null if exports can't contain them. */
  linkDays: number | null;
}

export type OpenSession = Json<Awaited<ReturnType<typeof listSessions>>>[number];

export type Hook = Json<Awaited<ReturnType<typeof listEndpoints>>>[number];
export type HookAttempt = Json<Awaited<ReturnType<typeof readAttempts>>>[number];

export type PeoplePage = Json<People>;
export type PersonRow = PeoplePage["people"][number];
export type { PeopleCount } from "#core/people/people-count.ts";

export type ExportStatus = Json<StartedExport>;

export type Started = Pick<ExportStatus, "id">;

export type Person = Json<NonNullable<Awaited<ReturnType<typeof readPerson>>>>;
export type Delivery = Person["deliveries"][number];

export type ActivityPage = Json<Awaited<ReturnType<typeof readEntries>>>;
export type ActivityEntry = ActivityPage["entries"][number];

export type QuarantineEntry = Json<Awaited<ReturnType<typeof readQuarantined>>>[number];

export type Released = Awaited<ReturnType<typeof release>>;

export interface Dropped {
  dropped: number;
}

export const PAGE_SIZE = 100;
/** The size of later pages, once someone scrolls. */
export const MAX_PAGE_SIZE = 500;
