/** People, exports, imports and the quarantine, as the console's page and its API exchange them. */
import type { toPreview } from "#console/json/imports.ts";
import type { readPerson, readQuarantined } from "#console/json/people.ts";
import type { previewSetAside, readSetAside } from "#core/members/set-aside.ts";
import type { PeoplePage as People } from "#core/people/people-page.ts";
import type { Question as StoredQuestion } from "#core/people/questions.ts";
import type { release } from "#core/sign-ups/quarantine.ts";
import type { readQuarantinedDomains } from "#core/sign-ups/quarantined-domains.ts";
import type { readImports } from "#core/transfer/import.ts";
import type { Json } from "./json.ts";

export type PeoplePage = Json<People>;
export type PersonRow = PeoplePage["people"][number];
export type { PeopleCount } from "#core/people/people-count.ts";

export interface Started {
  id: string;
}

/** About 30,000 people. Larger files are for the command line. */
export const MAX_IMPORT_MB = 2;

export interface ImportBody {
  file: string;
  /** Where people gave their address. Identifies the import, to take it back. */
  source: string;
  /** The wording of their consent to product news. */
  wording?: string | undefined;
}

export type ImportPreview = ReturnType<typeof toPreview>;
export type Imported = Record<"imported", number> & Record<"isMailed", boolean>;
export type PastImport = Json<Awaited<ReturnType<typeof readImports>>>[number];

export type Person = Json<NonNullable<Awaited<ReturnType<typeof readPerson>>>>;
export type Delivery = Person["deliveries"][number];

export type Question = Json<StoredQuestion>;

export type QuarantineEntry = Json<Awaited<ReturnType<typeof readQuarantined>>>[number];
export type Released = Awaited<ReturnType<typeof release>>;

export interface Dropped {
  dropped: number;
}

export type SetAsidePreview = Awaited<ReturnType<typeof previewSetAside>>;
export type SetAsideOperation = Json<Awaited<ReturnType<typeof readSetAside>>>[number];

export interface SetAside {
  setAside: number;
}

export interface BroughtBack {
  broughtBack: number;
}

export type QuarantinedDomain = Json<Awaited<ReturnType<typeof readQuarantinedDomains>>>[number];
/** For how long a domain's sign-ups can be quarantined. */
export const QUARANTINE_DAYS = [7, 30, 90];

export const PAGE_SIZE = 100;
/** The size of later pages, once someone scrolls. */
export const MAX_PAGE_SIZE = 500;
