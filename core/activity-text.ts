import type { Activity } from "./activity.ts";
import { pluralize } from "./format.ts";

type Subject = Pick<Activity, "personId" | "messageId" | "count">;

const people = ({ count }: Subject) => pluralize(count ?? 0, "person", "people");
const message = ({ messageId }: Subject) => `message ${messageId}`;

/** The text of each operator action; the person's address follows it. Members' own changes aren't recorded. */
const ACTION_TEXTS = {
  edit: () => "edited",
  unsubscribe: () => "unsubscribed",
  "create link": () => "created a member link for",
  "send link": () => "emailed a member link to",
  invite: (entry) => (entry.personId ? "invited" : `invited ${people(entry)}`),
  uninvite: (entry) => (entry.personId ? "uninvited" : `uninvited ${people(entry)}`),
  "void friends": () => "voided the friends of",
  "restore friends": () => "restored the friends of",
  erase: ({ personId }) => (personId ? "erased" : "erased someone from quarantine"),
  release: ({ count }) => `released ${pluralize(count ?? 0, "entry", "entries")} from quarantine`,
  drop: ({ count }) => `dropped ${pluralize(count ?? 0, "entry", "entries")} from quarantine`,
  export: (entry) => `exported ${people(entry)}`,
  "export links": (entry) => `exported ${people(entry)} with links to their pages`,
  "import suppressions": (entry) => `imported suppressions for ${people(entry)}`,
  "export suppressions": ({ count }) => `exported ${pluralize(count ?? 0, "suppression")}`,
  purge: ({ count }) => `purged ${pluralize(count ?? 0, "expired record")}`,
  "apply erasures": (entry) => `erased ${people(entry)} again after a restore`,
  "create message": (entry) => `drafted ${message(entry)}`,
  "edit message": (entry) => `edited ${message(entry)}`,
  "send message": (entry) => `started sending ${message(entry)} to ${people(entry)}`,
  "pause message": (entry) => `paused ${message(entry)}`,
  "resume message": (entry) => `resumed ${message(entry)}`,
  "cancel message": (entry) => `canceled ${message(entry)}`,
  "test message": (entry) => `sent a test of ${entry.messageId ? message(entry) : "a message"}`,
  "retry mail": ({ count }) => `retried ${pluralize(count ?? 0, "failed email")}`,
} satisfies Record<string, (entry: Subject) => string>;

export type Action = keyof typeof ACTION_TEXTS;

type Described = Pick<Activity, keyof Subject | "action" | "email" | "waveId">;

/** The sentence's parts: "invited", Ada's address, "(wave 12)". `person` is null if no address is known. */
export function describeActivity(entry: Described): { before: string; person: string | null; after: string } {
  const { action, personId, email, messageId, waveId } = entry;
  const text = ACTION_TEXTS[action](entry);
  const related = [waveId && `wave ${waveId}`, action === "invite" && messageId && `message ${messageId}`];
  const named = related.filter(Boolean).join(", ");
  return {
    before:
      personId && !email ? `${text} someone who ${action === "erase" ? "was" : "is no longer"} on the list` : text,
    person: email,
    after: named && `(${named})`,
  };
}
