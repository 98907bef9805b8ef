// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code that is replaced has template strings.
import type { Rules } from "./rules.ts";

const FILTER = "core/people/filter.ts";
const WAVES = "core/invitations/waves.ts";
const VERIFY_CONSENTS = "core/sign-ups/verify-consents.ts";
const AUDIENCE_TEST = "tests/integration/messages.test.ts";
const CLI_TEST = "tests/integration/cli.test.ts";
const MEMBERSHIP_TEST = "tests/integration/membership.test.ts";

const BY_FILTER: Rules[string][1] = [
  "tests/integration/people-page.test.ts",
  "each filter selects its people, newest first",
];
const BY_INVITATION: Rules[string][1] = [
  AUDIENCE_TEST,
  "of an invitation is everyone who confirmed and isn't invited, marked as one wave",
];

/** Who is found, invited, edited and exported, and what verify notices. */
export const PEOPLE_RULES: Rules = {
  "A search without a word, like a percent sign, finds nobody": [
    [FILTER, "@@ ${query}::tsquery` : sql<boolean>`false`", "@@ ${query}::tsquery` : sql<boolean>`true`"],
    [
      "tests/integration/people-page.test.ts",
      "finds the beginning of any word of an address, a name or a company, in any order and case",
    ],
  ],
  "No character of a search is a wildcard or an operator": [
    ["core/people/search-words.ts", "/[\\p{L}\\p{N}]{1,64}/gu", "/\\S{1,64}/gu"],
    [
      "core/people/search-words.test.ts",
      "everything between words separates them, and a text without a word is no query",
    ],
  ],
  "--since includes its own time": [[FILTER, "joined_at >= ${date}", "joined_at > ${date}"], BY_FILTER],
  "--until excludes its own time": [[FILTER, "joined_at < ${date}", "joined_at <= ${date}"], BY_FILTER],
  "The company filter matches any spelling": [[FILTER, "${companyKey(name) ?? null}", "${name}"], BY_FILTER],
  "The newsletter filter matches who is subscribed": [[FILTER, "newsletter = ${isSubscribed}", "true"], BY_FILTER],
  "The confirmed filter matches who has confirmed": [
    [FILTER, 'hasValue("confirmed_at", isSet)', 'hasValue("joined_at", isSet)'],
    BY_FILTER,
  ],
  "The rejected filter matches whose address was rejected": [
    [FILTER, 'hasValue("rejected_at", isSet)', 'hasValue("joined_at", isSet)'],
    BY_FILTER,
  ],
  "The invited filter matches who is invited": [
    [FILTER, 'hasValue("invited_at", isSet)', 'hasValue("joined_at", isSet)'],
    BY_FILTER,
  ],
  "The unsubscribed filter matches who withdrew, not who never subscribed": [
    [FILTER, "where sign_up_id = sign_ups.id and not given", "where true"],
    BY_FILTER,
  ],
  "The source filter matches utm_source": [[FILTER, "utm ->> 'source' =", "utm ->> 'medium' ="], BY_FILTER],
  "The medium filter matches utm_medium": [[FILTER, "sql`utm ->> 'medium' = ${name}`", "sql`true`"], BY_FILTER],
  "The campaign filter matches utm_campaign": [[FILTER, "sql`utm ->> 'campaign' = ${name}`", "sql`true`"], BY_FILTER],
  "The wave filter matches one wave": [
    [FILTER, "sql`wave_id = ${id}`", "sql`wave_id is not null`"],
    [
      "tests/integration/waves.test.ts",
      "a wave is taken back, the other stays, and the activity says how many people it was",
    ],
  ],
  "Nobody is invited twice": [
    [WAVES, "where ${condition} and invited_at is null", "where ${condition}"],
    BY_INVITATION,
  ],
  "People are invited in the order in which they joined": [
    [
      WAVES,
      "order by id limit ${limit} for update skip locked",
      "order by id desc limit ${limit} for update skip locked",
    ],
    BY_INVITATION,
  ],
  "An invitation goes to no more people than it should": [
    ["core/messages/audience.ts", "next - (await countAdded(transaction, id))", "Number.MAX_SAFE_INTEGER"],
    BY_INVITATION,
  ],
  "With mail on, only people who confirmed are invited": [
    ["cli/invitations/invite.ts", "{ ...filter, confirmed: true }", "filter"],
    [
      "tests/integration/cli-invite.test.ts",
      "invites only people who confirmed their address if mail is on, and says so",
    ],
  ],
  "An edited company moves the person between companies": [
    ["core/people/edit.ts", "if (from === to) return;", "if (from || to) return;"],
    [MEMBERSHIP_TEST, "a member corrects name and company, and the totals follow the company"],
  ],
  "A member's page shows nothing that was typed before the address is confirmed": [
    ["server/pages/member-page.ts", "${member.confirmed_at ? html", "${member.joined_at ? html"],
    [MEMBERSHIP_TEST, "the member page shows form input only after the address is confirmed, and escapes it"],
  ],
  "Confirming again keeps the first confirmation": [
    ["core/members/member.ts", "coalesce(confirmed_at, now())", "now()"],
    [
      MEMBERSHIP_TEST,
      "a confirmed member whose address was rejected can confirm it again, and keeps the first confirmation",
    ],
  ],
  "Confirming takes back a rejection": [
    ["core/members/member.ts", "      rejected_at: null,\n", ""],
    [
      MEMBERSHIP_TEST,
      "a confirmed member whose address was rejected can confirm it again, and keeps the first confirmation",
    ],
  ],
  "A cell that a spreadsheet would run starts with an apostrophe": [
    ["core/people/csv-row.ts", "escapeFormulas(cell)", "cell"],
    ["tests/integration/export.test.ts", "CSV escapes formulas, starts with a BOM on request, and respects filters"],
  ],
  "An export has the column rejectedAt": [
    ["core/people/export-columns.ts", "rejectedAt: sql", "rejected: sql"],
    ["tests/integration/export.test.ts", "CSV escapes formulas, starts with a BOM on request, and respects filters"],
  ],
  "An export is a file only its owner can read": [
    ["cli/terminal/write-atomically.ts", "mode: 0o600", "mode: 0o644"],
    ["tests/integration/export.test.ts", "JSON Lines go to a file only its owner can read"],
  ],
  "verify notices a wrong total": [
    ["cli/service/verify.ts", "kept: kept.totalUsers", "kept: counted.totalUsers"],
    [CLI_TEST, "a wrong total"],
  ],
  "verify notices a wrong company count": [
    ["core/sign-ups/totals.ts", "const wrongCompanies = Number(row.wrong);", "const wrongCompanies = 0;"],
    ["tests/integration/joining.test.ts", "verifyTotals detects wrong totals and a wrong company count"],
  ],
  "verify notices a newsletter setting without consent": [
    [VERIFY_CONSENTS, "where newsletter <> coalesce(given, false)", "where false"],
    [CLI_TEST, "a newsletter setting without consent"],
  ],
};
