// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code that is replaced has template strings.
import type { Rules } from "./rules.ts";

const PURGE = "core/retention/purge.ts";
const SUPPRESSIONS = "core/people/suppressions.ts";
const FIRST_RELEASE = "core/database/migrations/first-release/list.ts";
const CLI_TEST = "tests/integration/cli.test.ts";
const ERASE_TEST = "tests/integration/erase.test.ts";
const MEMBERSHIP_TEST = "tests/integration/membership.test.ts";
const PURGE_TEST = "tests/integration/purge.test.ts";
const SUPPRESSIONS_TEST = "tests/integration/cli-suppressions.test.ts";
const BY_LEAVING: Rules[string][1] = [MEMBERSHIP_TEST, "leaving erases the member, and their link returns 404"];
const BY_UNCONFIRMED: Rules[string][1] = [
  PURGE_TEST,
  "deletes people who didn't confirm within 90 days of an accepted mail, and no one else",
];
const BY_REJECTED: Rules[string][1] = [
  SUPPRESSIONS_TEST,
  "--as rejected marks people by address, once, and counts the rest; --dry-run marks nobody",
];

/** What an erased person leaves behind, who is purged and who is suppressed. */
export const RETENTION_RULES: Rules = {
  "An erased person isn't counted": [["core/retention/erase.ts", "await uncount(db, [gone.company]);", ""], BY_LEAVING],
  "An erased person leaves no consents": [
    [FIRST_RELEASE, "delete from consents where sign_up_id = person;", "perform 1;"],
    BY_LEAVING,
  ],
  "An erased person leaves a hash": [[FIRST_RELEASE, "if hash is not null then", "if false then"], BY_LEAVING],
  "An erased person leaves nothing in quarantine": [
    ["core/retention/erase.ts", "caught_at < ${cutoff}", "caught_at > ${cutoff}"],
    BY_LEAVING,
  ],
  "An erased person leaves no deliveries": [
    ["core/database/migrations/first-release/mail.ts", "not null references sign_ups on delete cascade", "not null"],
    ["tests/integration/deliveries.test.ts", "are erased with their person, and so is the count of their mailbox"],
  ],
  "Someone who joined again after being erased stays": [
    ["core/retention/erasures.ts", "erasedAt && since < erasedAt", "erasedAt"],
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
    [PURGE, "make_interval(days => ${days}::integer)", "interval '0 days'"],
    BY_UNCONFIRMED,
  ],
  "Quarantine entries are purged after 30 days": [
    [PURGE, "olderThanDays: RETENTION.quarantine", "olderThanDays: 2 * RETENTION.quarantine"],
    [PURGE_TEST, "deletes quarantine entries after 30 days"],
  ],
  "A hash is kept as long as a backup may bring the person back": [
    [PURGE, "erased_at < ${asOf}::timestamptz - make_interval(days => ${backupDays}::integer)", "erased_at < ${asOf}"],
    [PURGE_TEST, "forgets an erased address once no backup has it, in the database and in the saved file"],
  ],
  "A purge of more than 5% of the list needs --yes": [
    ["cli/retention/purge.ts", "MAX_SHARE = 0.05", "MAX_SHARE = 0.06"],
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
};
