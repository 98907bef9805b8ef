/** The overview, as the console's page and its API exchange it. */

import type { MailStatus as CoreMailStatus } from "#core/mail/queue/status.ts";
import type { Overview as Numbers } from "#core/overview/overview.ts";
import type { PagedPerson } from "#core/people/people-page.ts";
import type { Json } from "./json.ts";

export type { AnswerCounts } from "#core/overview/answers.ts";
export type { RangeCounts, Ranked } from "#core/overview/count.ts";
export type { Range } from "#core/overview/ranges.ts";

export type OverviewBody = Numbers & { mail: CoreMailStatus; newest: PagedPerson[] };
export type ListCounts = Pick<Numbers, "people" | "quarantined">;
export type Overview = Json<OverviewBody>;
export type MailStatus = Overview["mail"];
export type Arrival = Overview["newest"][number];
