// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code that is replaced has template strings.
import type { Rules } from "./rules.ts";

const FILTER = "core/waitlist/filter.ts";
const WAVES = "core/waitlist/waves.ts";
const PURGE = "core/waitlist/purge.ts";
const UNANSWERED = "core/mail/unanswered.ts";
const SUPPRESSIONS = "core/waitlist/suppressions.ts";
const ERASE_PERSON = "core/database/migrations/0007-erase-person.ts";
const VERIFY_CONSENTS = "core/waitlist/verify-consents.ts";
const AUDIENCE_TEST = "tests/integration/messages.test.ts";
const CLI_TEST = "tests/integration/cli.test.ts";
const ERASE_TEST = "tests/integration/cli-erase.test.ts";
const MEMBERSHIP_TEST = "tests/integration/membership.test.ts";
const PURGE_TEST = "tests/integration/cli-purge.test.ts";
const SUPPRESSIONS_TEST = "tests/integration/cli-suppressions.test.ts";

const BY_FILTER: Rules[string][1] = [
  "tests/integration/people-page.test.ts",
  "each filter selects its people, newest first",
];
const BY_INVITATION: Rules[string][1] = [
  AUDIENCE_TEST,
  "of an invitation is everyone who confirmed and isn't invited, marked as one wave",
];
const BY_LEAVING: Rules[string][1] = [MEMBERSHIP_TEST, "leaving erases the member, and their link returns 404"];
const BY_UNCONFIRMED: Rules[string][1] = [
  PURGE_TEST,
  "deletes people who didn't confirm within 90 days of an accepted mail, and no one else",
];
const BY_REJECTED: Rules[string][1] = [
  SUPPRESSIONS_TEST,
  "--as rejected marks people by address, once, and counts the rest; --dry-run marks nobody",
];

/** Who is found, invited, edited, exported, suppressed, erased and purged. */
export const PEOPLE_RULES: Rules = {
  "A search takes percent and underscore literally": [
    ["core/waitlist/search-patterns.ts", 'text.replace(/[\\\\%_]/g, "\\\\$&")', "text"],
    ["tests/integration/people-page.test.ts", "takes percent, underscore and backslash literally"],
  ],
  "--since includes its own time": [[FILTER, "joined_at >= ${since}", "joined_at > ${since}"], BY_FILTER],
  "--until excludes its own time": [[FILTER, "joined_at < ${until}", "joined_at <= ${until}"], BY_FILTER],
  "The company filter matches any spelling": [[FILTER, "${companyKey(company) ?? null}", "${company}"], BY_FILTER],
  "The newsletter filter matches who is subscribed": [[FILTER, "newsletter = ${newsletter}", "true"], BY_FILTER],
  "The confirmed filter matches who has confirmed": [
    [FILTER, 'hasValue("confirmed_at", confirmed)', 'hasValue("joined_at", confirmed)'],
    BY_FILTER,
  ],
  "The rejected filter matches whose address was rejected": [
    [FILTER, 'hasValue("rejected_at", rejected)', 'hasValue("joined_at", rejected)'],
    BY_FILTER,
  ],
  "The invited filter matches who is invited": [
    [FILTER, 'hasValue("invited_at", invited)', 'hasValue("joined_at", invited)'],
    BY_FILTER,
  ],
  "The unsubscribed filter matches who withdrew, not who never subscribed": [
    [FILTER, "where sign_up_id = sign_ups.id and not given", "where true"],
    BY_FILTER,
  ],
  "The source filter matches utm_source": [[FILTER, "utm ->> 'source' =", "utm ->> 'medium' ="], BY_FILTER],
  "The medium filter matches utm_medium": [[FILTER, "sql`utm ->> 'medium' = ${medium}`", "sql`true`"], BY_FILTER],
  "The campaign filter matches utm_campaign": [
    [FILTER, "sql`utm ->> 'campaign' = ${campaign}`", "sql`true`"],
    BY_FILTER,
  ],
  "The wave filter matches one wave": [
    [FILTER, "sql`wave_id = ${wave}`", "sql`wave_id is not null`"],
    [
      "tests/integration/console-waves.test.ts",
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
    ["core/mail/audience.ts", "next - (await countPeople(transaction, id))", "Number.MAX_SAFE_INTEGER"],
    BY_INVITATION,
  ],
  "With mail on, only people who confirmed are invited": [
    ["cli/commands/invite.ts", "{ ...filter, confirmed: true }", "filter"],
    [
      "tests/integration/cli-invite-send.test.ts",
      "invites only people who confirmed their address if mail is on, and says so",
    ],
  ],
  "An edited company moves the person between companies": [
    ["core/members/edit.ts", "if (from === to) return;", "if (from || to) return;"],
    [
      "tests/integration/member-details.test.ts",
      "a member corrects name and company, and the totals follow the company",
    ],
  ],
  "A member's page shows nothing that was typed before the address is confirmed": [
    ["server/pages/member-page.ts", "${member.confirmed_at ? html", "${member.joined_at ? html"],
    [MEMBERSHIP_TEST, "the member page shows form input only after the address is confirmed, and escapes it"],
  ],
  "Confirming again keeps the first confirmation": [
    ["core/members/store.ts", "coalesce(confirmed_at, now())", "now()"],
    [
      MEMBERSHIP_TEST,
      "a confirmed member whose address was rejected can confirm it again, and keeps the first confirmation",
    ],
  ],
  "Confirming takes back a rejection": [
    ["core/members/store.ts", "      rejected_at: null,\n", ""],
    [
      MEMBERSHIP_TEST,
      "a confirmed member whose address was rejected can confirm it again, and keeps the first confirmation",
    ],
  ],
  "An erased person isn't counted": [
    ["core/waitlist/erase.ts", "if (gone) await uncount(db, [gone.company]);", ""],
    BY_LEAVING,
  ],
  "An erased person leaves no consents": [
    [ERASE_PERSON, "delete from consents where sign_up_id = person;", "perform 1;"],
    BY_LEAVING,
  ],
  "An erased person leaves a hash": [[ERASE_PERSON, "if hash is not null then", "if false then"], BY_LEAVING],
  "An erased person leaves nothing in quarantine": [
    ["core/waitlist/erase.ts", "caught_at < ${cutoff}", "caught_at > ${cutoff}"],
    BY_LEAVING,
  ],
  "An erased person leaves no deliveries": [
    [
      "core/database/migrations/0008-messages.ts",
      "foreign key (sign_up_id) references sign_ups on delete cascade not valid",
      "check (sign_up_id > 0)",
    ],
    ["tests/integration/deliveries.test.ts", "are erased with their person"],
  ],
  "Someone who joined again after being erased stays": [
    ["core/waitlist/erasures.ts", "erasedAt && since < erasedAt", "erasedAt"],
    [ERASE_TEST, "`erasures apply` erases people whom a restored backup brought back, but not anyone who joined again"],
  ],
  "Nobody is erased without --yes or a terminal": [
    ["cli/terminal/confirm.ts", "if (yes) return true;", "if (yes || !process.stdin.isTTY) return true;"],
    [CLI_TEST, "erase without a terminal needs --yes"],
  ],
  "Nobody is purged before the year after launch is over": [
    [PURGE, "${end} <= ${asOf}::timestamptz and ", ""],
    [PURGE_TEST, "deletes nobody before that year is over"],
  ],
  "People who weren't told that unconfirmed sign-ups are deleted stay": [
    [PURGE, "joined_at >= ${since} and ", ""],
    BY_UNCONFIRMED,
  ],
  "Unconfirmed people stay for 90 days after the last email": [
    [UNANSWERED, "make_interval(days => ${days}::integer)", "interval '0 days'"],
    BY_UNCONFIRMED,
  ],
  "Quarantine entries are purged after 30 days": [
    [PURGE, "{ olderThanDays: RETENTION.quarantine }", "{ olderThanDays: 2 * RETENTION.quarantine }"],
    [PURGE_TEST, "deletes quarantine entries after 30 days"],
  ],
  "A hash is kept as long as a backup may bring the person back": [
    [PURGE, "erased_at < ${asOf}::timestamptz - make_interval(days => ${backupDays}::integer)", "erased_at < ${asOf}"],
    [PURGE_TEST, "forgets an erased address once no backup has it, in the database and in the saved file"],
  ],
  "A purge of more than 5% of the list needs --yes": [
    ["cli/commands/purge.ts", "MAX_SHARE = 0.05", "MAX_SHARE = 0.06"],
    [PURGE_TEST, "refuses to delete more than 5% of the list without --yes, and then deletes nothing"],
  ],
  "A dry run of an import marks nobody": [
    [SUPPRESSIONS, "isDryRun ? 0 : await changeImported(", "await changeImported("],
    BY_REJECTED,
  ],
  "Someone who subscribed again isn't exported as unsubscribed": [
    [SUPPRESSIONS, "where not newsletter and not given group by id", "where not given group by id"],
    [SUPPRESSIONS_TEST, "suppressions export writes who is rejected or unsubscribed, and can be imported again"],
  ],
  "A cell that a spreadsheet would run starts with an apostrophe": [
    ["core/waitlist/csv-row.ts", 'position !== "inside" && startsFormula(from, at)', "false"],
    ["tests/integration/cli-files.test.ts", "CSV escapes formulas, starts with a BOM on request, and respects filters"],
  ],
  "An export has the column rejectedAt": [
    ["core/waitlist/export-columns.ts", 'name: "rejectedAt"', 'name: "rejected"'],
    ["tests/integration/cli-files.test.ts", "CSV escapes formulas, starts with a BOM on request, and respects filters"],
  ],
  "An export is a file only its owner can read": [
    ["cli/write-atomically.ts", "mode: 0o600", "mode: 0o644"],
    ["tests/integration/cli-files.test.ts", "JSON Lines go to a file only its owner can read"],
  ],
  "verify notices a wrong total": [
    ["cli/commands/verify.ts", "kept: kept.totalUsers", "kept: counted.totalUsers"],
    [CLI_TEST, "a wrong total"],
  ],
  "verify notices a wrong company count": [
    ["core/waitlist/totals.ts", "const wrongCompanies = Number(row.wrong);", "const wrongCompanies = 0;"],
    ["tests/integration/joining.test.ts", "verifyTotals detects wrong totals and a wrong company count"],
  ],
  "verify notices a newsletter setting without consent": [
    [VERIFY_CONSENTS, "where newsletter <> coalesce(given, false)", "where false"],
    [CLI_TEST, "a newsletter setting without consent"],
  ],
};
