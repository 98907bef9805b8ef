import { pluralize } from "#core/text/format.ts";

export interface Described {
  action: Action;
  personId: string | null;
  /** Null once the person has been erased. */
  email: string | null;
  messageId: string | null;
  /** The message's subject, empty if a draft has none, or the question's text. Null if the entry concerns neither. */
  subject: string | null;
  waveId: string | null;
  /** How many invitations of this entry's wave have since been taken back. */
  takenBack: number | null;
  webhookId: string | null;
  count: number | null;
  operator: string | null;
}

type Subject = Pick<Described, "personId" | "messageId" | "webhookId" | "count">;

const people = ({ count }: Subject) => pluralize(count ?? 0, "person", "people");

/** The text of each operator action; the person's address follows it. Members' own changes aren't recorded. */
const ACTION_TEXTS = {
  edit: () => "edited",
  unsubscribe: () => "unsubscribed",
  "stop mail": () => "suppressed",
  "send link": () => "emailed a member link to",
  invite: (entry) => (entry.personId ? "invited" : `invited ${people(entry)}`),
  uninvite: (entry) => (entry.personId ? "uninvited" : `uninvited ${people(entry)}`),
  "void friends": () => "voided the friends of",
  "restore friends": () => "restored the friends of",
  erase: ({ personId }) => (personId ? "erased" : "erased someone from quarantine"),
  release: ({ count, personId }) =>
    personId ? "released" : `released ${pluralize(count ?? 0, "entry", "entries")} from quarantine`,
  drop: ({ count }) => `dropped ${pluralize(count ?? 0, "entry", "entries")} from quarantine`,
  "set aside": (entry) => `set ${people(entry)} aside`,
  "bring back": (entry) => `brought ${people(entry)} back`,
  "quarantine domain": () => "started to quarantine new sign-ups of a domain",
  "stop quarantining domain": () => "stopped quarantining new sign-ups of a domain",
  read: (entry) => `read ${people(entry)}`,
  export: (entry) => `exported ${people(entry)}`,
  "export links": (entry) => `exported ${people(entry)} with links to their pages`,
  "import suppressions": (entry) => `imported suppressions for ${people(entry)}`,
  "import people": (entry) => `imported ${people(entry)}`,
  "resume events": ({ count }) => `resumed a mail provider's events, and undid ${count ?? 0} of them`,
  "export suppressions": ({ count }) => `exported ${pluralize(count ?? 0, "suppression")}`,
  purge: ({ count }) => `purged ${pluralize(count ?? 0, "expired record")}`,
  "apply erasures": (entry) => `erased ${people(entry)} again after a restore`,
  "create message": () => "drafted {message}",
  "edit message": () => "edited {message}",
  "send message": (entry) => `started sending {message} to ${people(entry)}`,
  "schedule message": (entry) => `scheduled {message} to ${people(entry)}`,
  "pause message": () => "paused {message}",
  "resume message": () => "resumed {message}",
  "cancel message": () => "canceled {message}",
  "turn on reminder": () => "turned the reminder on",
  "turn off reminder": () => "turned the reminder off",
  "test message": ({ messageId }) => `sent a test of ${messageId ? "{message}" : "a message"}`,
  "retry mail": ({ count }) => `retried ${pluralize(count ?? 0, "failed email")}`,
  "make secret": () => "made a secret for used invitations",
  "sign in": () => "signed in",
  "refuse sign-in": () => "was refused",
  "sign out": () => "signed out",
  "end sessions": () => "ended the sessions of {operator}",
  "make viewer": () => "made {operator} a viewer",
  "make editor": () => "made {operator} an editor",
  "make admin": () => "made {operator} an admin",
  "remove role": () => "took the role of {operator} away",
  "forget operator": () => "forgot the account of {operator}",
  "add question": () => "added the question {question}",
  "edit question": () => "edited the question {question}",
  "move question": () => "moved up the question {question}",
  "retire question": () => "retired the question {question}",
  "add webhook": ({ webhookId }) => `added webhook ${webhookId}`,
  "test webhook": ({ webhookId }) => `sent a test to webhook ${webhookId}`,
  "pause webhook": ({ webhookId }) => `paused webhook ${webhookId}`,
  "resume webhook": ({ webhookId }) => `resumed webhook ${webhookId}`,
  "rotate webhook": ({ webhookId }) => `rotated the secret of webhook ${webhookId}`,
  "remove webhook": ({ webhookId }) => `removed webhook ${webhookId}`,
} satisfies Record<string, (entry: Subject) => string>;

export type Action = keyof typeof ACTION_TEXTS;

/** A piece of a sentence. If `name` is set, it stands for the person, message or wave with this id. */
export type Phrase = { text: string } & ({ name?: never } | { name: "person" | "message" | "wave"; id: string });

/** The sentence after the operator's name: "invited ", Ada's address, " (", "wave 12", ")". */
export function describeActivity(entry: Described): Phrase[] {
  const { action, personId, email, messageId, subject, waveId, takenBack, operator } = entry;
  const related = [
    action === "release" && personId && "from quarantine",
    waveId && "{wave}",
    takenBack && `${pluralize(takenBack, "invitation")} taken back since`,
    action === "invite" && messageId && "{message}",
  ];
  const details = related.filter(Boolean).join(", ");
  const sentence = [ACTION_TEXTS[action](entry), personId && "{person}", details && `(${details})`];
  const named: Record<string, Phrase> = {
    "{person}":
      personId && email
        ? { name: "person", id: personId, text: email }
        : { text: `someone who ${action === "erase" ? "was" : "is no longer"} on the list` },
    "{message}": { name: "message", id: messageId ?? "", text: subject ? `“${subject}”` : `message ${messageId}` },
    "{question}": { text: `“${subject}”` },
    "{operator}": { text: operator ?? "a former operator" },
    "{wave}": { name: "wave", id: waveId ?? "", text: `wave ${waveId}` },
  };
  // Split before any name is put in, because a subject can contain anything.
  const pieces = sentence
    .filter(Boolean)
    .join(" ")
    .split(/(\{\w+\})/);
  return pieces.filter(Boolean).map((text) => named[text] ?? { text });
}
