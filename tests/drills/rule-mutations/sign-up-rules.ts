// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code that is replaced has template strings.
import type { Rules } from "./rules.ts";

const EMAIL_KEY = "core/sign-ups/email-key.ts";
const EMAIL_KEY_TEST = "core/sign-ups/email-key.test.ts";
const COMPANY_KEY = "core/sign-ups/company-key.ts";
const COMPANY_KEY_TEST = "core/sign-ups/company-key.test.ts";
const WRITE_BATCH = "core/sign-ups/write-batch.ts";
const QUARANTINE = "core/sign-ups/quarantine.ts";
const WAITLIST_TEST = "tests/integration/waitlist.test.ts";
const IDEMPOTENCY_TEST = "tests/integration/idempotency-keys.test.ts";
const CONSENT_TEST = "tests/integration/consent.test.ts";
const HONEYPOT_TEST = "tests/integration/honeypot-limits.test.ts";
const UNKNOWN_TEST = "tests/integration/unknown-outcomes.test.ts";
const PROBLEM_TEST = "tests/integration/problem-details.test.ts";

/** Who joins, who counts, and what a response promises. */
export const SIGN_UP_RULES: Rules = {
  "An address in another case is the same person": [
    [EMAIL_KEY, 'normalize("NFC").toLowerCase()', 'normalize("NFC")'],
    [EMAIL_KEY_TEST, 'normalizes "Ada@Example.COM" to ada@example.com'],
  ],
  "A domain in Unicode and in punycode is the same domain": [
    [EMAIL_KEY, "? domain : domainToASCII(domain)", "? domain : domain"],
    [EMAIL_KEY_TEST, 'normalizes "ada@BÜCHER.de" to ada@xn--bcher-kva.de'],
  ],
  "An address whose domain can't exist is refused": [
    ["core/sign-ups/person-columns.ts", "if (!email_key) return undefined;", ""],
    [PROBLEM_TEST, "400 for an invalid domain"],
  ],
  "A duplicate isn't counted": [
    [WRITE_BATCH, "(select count(*) from joined) as users", "(select count(*) from arriving) as users"],
    [IDEMPOTENCY_TEST, "gets the first outcome again and is counted once"],
  ],
  "The totals of a response include the sign-up itself": [
    [WRITE_BATCH, "sum(totals.users) + min(gained.users) as users", "sum(totals.users) as users"],
    ["tests/integration/joining.test.ts", "returns totals that include each sign-up"],
  ],
  "A company counts once, however many people join from it": [
    [WRITE_BATCH, "where sign_ups = arrived", "where true"],
    [WAITLIST_TEST, "counts a company once across spellings and concurrent sign-ups"],
  ],
  "A placeholder is no company": [
    [COMPANY_KEY, "PLACEHOLDERS.has(key) || ", ""],
    [COMPANY_KEY_TEST, 'finds no company in "n/a"'],
  ],
  "A sign-up is refused while the queue is full": [
    ["core/sign-ups/group-commit.ts", "if (queue.length >= maxQueueLength) return undefined;", ""],
    [PROBLEM_TEST, "503 with Retry-After while the write queue is full"],
  ],
  "A quarantined sign-up isn't counted": [
    [
      "core/sign-ups/totals.ts",
      "select sum(users) as users, sum(companies)",
      "select sum(users) + (select count(*) from quarantine) as users, sum(companies)",
    ],
    [WAITLIST_TEST, "looks like a success but goes into quarantine and isn't counted"],
  ],
  "The honeypot is checked before the duplicate, so that a bot never learns who is on the list": [
    ["core/sign-ups/join.ts", "if (signUp.website) {", "if (signUp.website && isDiscarded) {"],
    [WAITLIST_TEST, "doesn't reveal that an address is on the list"],
  ],
  "A client fills the quarantine ten times an hour": [
    ["server/routes/sign-up-limits.ts", "MAX_HONEYPOTS_PER_HOUR = 10", "MAX_HONEYPOTS_PER_HOUR = 11"],
    [
      HONEYPOT_TEST,
      "a client fills the quarantine ten times an hour, and gets the same response when nothing more is stored",
    ],
  ],
  "A released person joins without the newsletter": [
    [QUARANTINE, "newsletter: false, ", ""],
    [
      "tests/integration/quarantine.test.ts",
      "release adds people once and keeps the sign-up of anyone who has joined since",
    ],
  ],
  "A retry with the same idempotency key gets the first response again": [
    [WRITE_BATCH, '(retries.get(signUp) ?? { kind: "already-joined" })', '{ kind: "already-joined" }'],
    [IDEMPOTENCY_TEST, "gets the first outcome again and is counted once"],
  ],
  "An idempotency key with another name is refused": [
    [WRITE_BATCH, "isSame ? {", "isSame || true ? {"],
    [IDEMPOTENCY_TEST, "is refused if firstName differs"],
  ],
  "An idempotency key is honored for 24 hours": [
    [WRITE_BATCH, "interval '24 hours'", "interval '25 hours'"],
    [IDEMPOTENCY_TEST, "counts as a duplicate after 24 hours"],
  ],
  "What a member has changed since doesn't make a retry another sign-up": [
    [WRITE_BATCH, "confirmed_at is not null or (", "false or ("],
    [
      IDEMPOTENCY_TEST,
      "is not what a retry has after the member has unsubscribed or, once confirmed, changed their name",
    ],
  ],
  "A failed lookup of a retry fails no other sign-up of its batch": [
    [
      WRITE_BATCH,
      'return new Map(duplicates.map((duplicate) => [duplicate, { kind: "unknown", reason }]));',
      "throw reason;",
    ],
    [IDEMPOTENCY_TEST, "when its lookup fails, only the retry fails; a new sign-up in the same batch still joins"],
  ],
  "Only a ticked box is a consent": [
    [WRITE_BATCH, "from joined where newsletter", "from joined"],
    [CONSENT_TEST, "records who agreed, when and to which wording, and has no entry for anyone who didn't"],
  ],
  "New words of consent need a new version": [
    ["core/sign-ups/consent.ts", "recorded.wording !== wording", "false"],
    [CONSENT_TEST, "rejects a changed wording under an existing version"],
  ],
  "The same choice twice is one entry in the consent ledger": [
    ["core/members/member.ts", '.where("newsletter", "<>", given)', ""],
    ["tests/integration/member-limits.test.ts", "unsubscribing again and again writes nothing after the first time"],
  ],
  "A campaign counts only from our own page": [
    ["server/routes/waitlist.ts", "|| !isOwnUrl(referer, host, publicOrigin)", ""],
    [
      "tests/integration/campaign.test.ts",
      "with another site as Referer (https://elsewhere.example/?utm_source=news&utm_campaign=launch&email=ada@example.com) is stored as null",
    ],
  ],
  "The server refuses a database that acknowledges commits before they are on disk": [
    ["core/database/durability.ts", "setting not in ('on', 'remote_apply')", "setting is null"],
    [
      "tests/integration/start-up.test.ts",
      "the server refuses to start if PostgreSQL could lose acknowledged sign-ups, unless ALLOW_DATA_LOSS names the setting",
    ],
  ],
  "A commit that stopped waiting for its standby is no success": [
    ["core/database/durable-client.ts", "isUnknown = true;", "isUnknown = false;"],
    [UNKNOWN_TEST, "is a 503 when an operator calls pg_cancel_backend"],
  ],
  "A duplicate is reported only once its row is on the standby": [
    [WRITE_BATCH, "when ${DURABLE} is not null then", "else"],
    [UNKNOWN_TEST, "a duplicate gets its response only once the standby has the row"],
  ],
  "The server refuses a schema older than its code": [
    ["core/service/require-schema.ts", "missing.length > 0", "missing.length < 0"],
    [
      "tests/integration/migrations.test.ts",
      "the server refuses to start on a schema older than its code and names the command to run",
    ],
  ],
  "A 5xx reveals nothing about its cause": [
    ["server/http/errors.ts", "status < 500 ? problem", "status < 501 ? problem"],
    [PROBLEM_TEST, "500 reveals nothing about its cause"],
  ],
  "A known path with the wrong method is 405": [
    ["server/http/not-found.ts", "if (allowed) return", "if (allowed?.length === 0) return"],
    [PROBLEM_TEST, "405 for a wrong method, 404 for an unknown path"],
  ],
  "No name gets into a URL": [
    [
      "server/routes/form-post.ts",
      "redirect(`/#${fragment}`, 303)",
      "redirect(`/?${new URLSearchParams(reply.request.body as never)}#${fragment}`, 303)",
    ],
    [
      "tests/integration/form-post.test.ts",
      "a form posted without JavaScript adds the person and redirects to the page",
    ],
  ],
};
