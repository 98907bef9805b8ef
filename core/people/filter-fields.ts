/** Selects people without a source, medium or campaign. */
export const NONE = "(none)";

/** Separates names in a filter that matches any of them. No name contains control characters. */
export const OR = "\n";

const person = { type: "name", group: "About them" } as const;
const outreach = { type: "id", group: "Outreach" } as const;

/**
 * The filters of the list, declared once: the command line's options, the API's parameters and the console's fields are
 * derived from this, and filter.ts has a condition for each. Runs in browsers too.
 */
export const FILTERS = {
  search: {
    type: "text",
    group: "Search",
    label: "Search",
    placeholder: "Address, name or company",
    people: "whose address, name or company has words that start with these",
  },
  confirmed: choice("Confirmed", "who confirmed their email address", "who haven't confirmed their email address"),
  invited: choice("Invited", "who have been invited", "who haven't been invited"),
  accepted: choice("Accepted", "who accepted their invitation", "who haven't accepted an invitation"),
  suppressed: choice(
    "Suppressed",
    "whose address gets no email: it bounced, complained, or an operator suppressed it",
    "whose address isn't suppressed",
  ),
  newsletter: {
    ...choice("Subscribed", "who are subscribed to the newsletter", "who aren't subscribed to the newsletter"),
    label: "Newsletter",
  },
  unsubscribed: choice(
    "Unsubscribed",
    "who unsubscribed from the newsletter",
    "who haven't unsubscribed from the newsletter",
  ),
  since: {
    type: "date",
    group: "Joined",
    label: "Since",
    people: "who joined at or after this time (UTC, 2026-11-30 or 2026-11-30T18:00)",
  },
  until: { type: "date", group: "Joined", label: "Before", people: "who joined before this time" },
  company: { ...person, label: "Company", people: 'at this company; "acme" matches "ACME, Inc."' },
  domain: { ...person, label: "Mail domain", people: "with an address at this domain" },
  answer: {
    type: "answer",
    group: "About them",
    label: "Answers",
    people: 'who answered like "2:1,2:3": question 2 with choice 1 or 3 (the console\'s Questions show the numbers)',
  },
  source: named("Source", "utm_source", "from this source"),
  medium: named("Medium", "utm_medium", "through this medium"),
  campaign: named("Campaign", "utm_campaign", "from this campaign"),
  import: {
    type: "name",
    group: "Came from",
    label: "Import",
    people: "who were imported from this source, and haven't signed up themselves",
  },
  wave: { ...outreach, label: "Wave", people: 'in the wave with this ID (see "waitlist status")' },
  message: { ...outreach, label: "Got message", people: "who were sent the message with this ID" },
} as const satisfies Record<string, FilterField>;

/** `yes` and `no` complete "Only people …". */
function choice(label: string, yes: string, no: string) {
  const type = "choice" as const;
  return {
    type,
    group: "Status",
    label,
    yes: { label, people: yes },
    no: { label: `Not ${label.toLowerCase()}`, people: no },
  };
}

function named(label: string, parameter: string, people: string) {
  const type = "name" as const;
  const group = "Came from";
  return { type, group, label, people: `who came ${people} (${parameter}), or "${NONE}"` };
}

/** Filters of a group are shown together. */
export type FilterField = { group: string; label: string } & (
  | { type: "text"; placeholder: string; people: string }
  | { type: "name" | "id" | "date" | "answer"; people: string }
  | ({ type: "choice" } & Record<"yes" | "no", { label: string; people: string }>)
);

export type FilterName = keyof typeof FILTERS;

export interface FilterValues {
  text: string;
  /** Names, separated by OR. */
  name: string;
  id: string;
  date: Date;
  choice: boolean;
  /** Questions with choices, both as numbers: "2:1,2:3,4:2". */
  answer: string;
}

/** A question in words; an answer filter has only numbers. */
interface NamedQuestion extends Record<"id" | "text", string> {
  choices: string[];
}

export const ANSWER_FORMAT = /^[1-9]\d{0,17}:[1-8](,[1-9]\d{0,17}:[1-8])*$/;

/** The choices of each question in an answer filter. */
export function choicesByQuestion(value: string): [question: string, choices: number[]][] {
  const pairs = value.split(",").map((pair) => pair.split(":"));
  const byQuestion = Map.groupBy(pairs, ([question = ""]) => question);
  return [...byQuestion].map(([question, each]) => [question, each.map(([, choice]) => Number(choice))]);
}

/** Words for the numbers in filters; waves and messages are keyed by ID. */
export interface FilterNames extends Partial<Record<"wave" | "message", ReadonlyMap<string, string>>> {
  questions: NamedQuestion[];
  formatDate: (at: string) => string;
}

/**
 * Describes a filter and its value from a view's URL: "Not invited", "Source: google or qr", "Wave of Nov 11", "How big
 * is your team? 1–10 or 11–50".
 */
export function describeFilter(name: FilterName, value: string, names: FilterNames): string {
  const filter: FilterField = FILTERS[name];
  if (name === "search") return `“${value}”`;
  if (filter.type === "answer") {
    const described = choicesByQuestion(value).map(([id, chosen]) => {
      const { text = `Question ${id}:`, choices = [] } = names.questions.find((each) => each.id === id) ?? {};
      return `${text} ${chosen.map((choice) => choices[choice - 1] ?? `choice ${choice}`).join(" or ")}`;
    });
    return described.join("; ");
  }
  if (filter.type === "choice") return filter[value === "yes" ? "yes" : "no"].label;
  if (filter.type === "date") return `${filter.label} ${names.formatDate(value)}`;
  if (filter.type === "id") return names[name as "wave" | "message"]?.get(value) ?? `${filter.label} ${value}`;
  return `${filter.label}: ${value.split(OR).join(" or ")}`;
}

export const FILTER_NAMES = Object.keys(FILTERS) as FilterName[];

/** Excludes search, because its results have nothing in common. */
export const AUDIENCE_FILTERS = FILTER_NAMES.filter((name) => name !== "search" && name !== "unsubscribed");

/** The rule for recipients (recipients.ts) as filters. */
export const RECIPIENTS = {
  confirmation: {},
  reminder: {},
  invitation: { confirmed: true, suppressed: false, invited: false },
  announcement: { confirmed: true, suppressed: false, newsletter: true },
};

export const EVERYONE = {
  confirmation: "Everyone who joins",
  reminder: "Everyone who joined in the last 30 days and hasn't confirmed",
  invitation: "Everyone who confirmed and isn't invited yet",
  announcement: "All subscribers who confirmed",
};

/** The filters that exclude everyone who could get this kind of message. Values are booleans, or "yes" and "no". */
export function impossibleFilters(kind: keyof typeof RECIPIENTS, audience: object): FilterName[] {
  const values = new Map<string, unknown>(Object.entries(audience));
  const isOpposite = ([name, isSet]: [string, boolean]) =>
    [!isSet, isSet ? "no" : "yes"].includes(values.get(name) as string);
  return Object.entries<boolean>(RECIPIENTS[kind])
    .filter(isOpposite)
    .map(([name]) => name as FilterName);
}
