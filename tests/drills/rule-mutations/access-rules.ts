// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the code that is replaced has template strings.
import type { Rules } from "./rules.ts";

const ROLES = "core/database/roles.ts";
const ROLES_TEST = "tests/integration/roles.test.ts";
const ROLES_CLI_TEST = "tests/integration/roles-cli.test.ts";
const FIRST_RELEASE = "core/database/migrations/first-release/list.ts";
const GUARD = "console/api/guard.ts";
const SESSION = "console/api/session.ts";
const CONSOLE_TEST = "tests/integration/console-access.test.ts";
const LINKS = "core/members/links.ts";
const LINKS_TEST = "core/members/links.test.ts";
const INVITATIONS = "core/invitations/invitation-tokens.ts";
const INVITATIONS_UNIT_TEST = "core/invitations/invitation-tokens.test.ts";
const INVITATIONS_TEST = "tests/integration/invitations.test.ts";
const SAME_ORIGIN = "server/http/same-origin.ts";
const CSRF_TEST = "tests/integration/security-headers.test.ts";

/** What a role, a link or a website may do. */
export const ACCESS_RULES: Rules = {
  "A server may not read erasures": [
    [ROLES, "erasures: { farwatch_operate:", 'erasures: { farwatch_serve: "select", farwatch_operate:'],
    [ROLES_TEST, "may not run: select 1 from erasures"],
  ],
  "A server may not delete people": [
    [ROLES, '"select, insert, update (first_name', '"select, insert, delete, update (first_name'],
    [ROLES_TEST, "may not run: delete from sign_ups"],
  ],
  "A server may not change a consent": [
    [ROLES, 'consents: { farwatch_serve: "select, insert"', 'consents: { farwatch_serve: "select, insert, update"'],
    [ROLES_TEST, "may not run: update consents set given = true"],
  ],
  "An operator may not change the activity": [
    [ROLES, '"select, insert (actor,', '"select, update, insert (actor,'],
    [ROLES_CLI_TEST, "farwatch_operate may not run: update activity set actor = 'eve'"],
  ],
  "No other role may erase people": [
    [FIRST_RELEASE, "revoke all on function erase_person from public", "select 1"],
    ["tests/integration/roles-grants.test.ts", "a role without a grant may not call erase_person"],
  ],
  "The consent ledger is append-only, for the tables' owner too": [
    [FIRST_RELEASE, '["consents", "consent_wordings"]', '["consent_wordings"]'],
    ["tests/integration/consent.test.ts", "is append-only"],
  ],
  "The console takes no other Host": [
    [GUARD, "request.headers.host !== host()", "!request.headers.host"],
    [CONSOLE_TEST, "another Host"],
  ],
  "The console takes no request of another website": [
    [GUARD, 'return site === "same-origin" || (isPage', 'return site !== "same-site" || (isPage'],
    [CONSOLE_TEST, "a cross-site request"],
  ],
  "The console's API needs the session": [
    [GUARD, "return session.isValid(headers.authorization);", "return headers.authorization !== undefined;"],
    [CONSOLE_TEST, "another session, if it is part of the API"],
  ],
  "The console's link works once": [
    [SESSION, "isExchanged || !isEqual(given, token)", "!isEqual(given, token)"],
    [CONSOLE_TEST, "a token works once, and a wrong one never"],
  ],
  "A read-only console changes no person": [
    ["console/api/person.ts", "  if (isReadOnly) return;\n", ""],
    [CONSOLE_TEST, "a read-only console has no route that changes the list"],
  ],
  "The console erases nobody whose address wasn't typed": [
    ["console/api/person.ts", "!person || person.email !== body.address", "!person"],
    ["tests/integration/console-person.test.ts", "an erasure needs the person's address"],
  ],
  "An expired link does nothing": [
    [LINKS, "if (Number.parseInt(expires, 36) <= now.getTime()) return undefined;", ""],
    [LINKS_TEST, "accepts a token until it expires"],
  ],
  "A link for one purpose is none for another": [
    ["core/config/keys.ts", ".update(`${purpose} ${text}`)", ".update(text)"],
    [LINKS_TEST, "rejects a token for another purpose"],
  ],
  "A link to unsubscribe can do nothing else": [
    [
      "server/routes/member-replies.ts",
      "verifyToken(keys, tokenOf(request), purpose);",
      'verifyToken(keys, tokenOf(request), purpose) ?? verifyToken(keys, tokenOf(request), "unsubscribe");',
    ],
    ["tests/integration/newsletter.test.ts", "can do nothing else"],
  ],
  "A link outlives the rotation of its key": [
    [LINKS, "links.find((one) => one.id === keyId)", "links.find((one, at) => one.id === keyId && at === 0)"],
    [LINKS_TEST, "accepts links after a key rotation, until their key is withdrawn"],
  ],
  "A link is for its holder, not for someone who gets the same id later": [
    [LINKS, " && addressTag(key, holder.email_key) === tag", ""],
    [LINKS_TEST, "matches a token only to its holder, not to someone with the same id after a restored backup"],
  ],
  "An invitation expires after the configured days": [
    [INVITATIONS, "issuedAt + lifetimeDays * DAY_SECONDS", "issuedAt + 2 * lifetimeDays * DAY_SECONDS"],
    [INVITATIONS_UNIT_TEST, "expires after the configured days, and contains no address"],
  ],
  "An invitation contains no address": [
    [
      INVITATIONS,
      "email_hash: emailHash(tokenId, email_key)",
      "email_hash: emailHash(tokenId, email_key), email: email_key",
    ],
    [INVITATIONS_UNIT_TEST, "expires after the configured days, and contains no address"],
  ],
  "Every copy of an invitation has the same jti": [
    [INVITATIONS, "`to ${waveId} of ${email_key}`", "`to ${now.getTime()} of ${email_key}`"],
    [INVITATIONS_UNIT_TEST, "gives every copy of an invitation the same jti, and other people and waves another"],
  ],
  "An invitation is for one product": [
    [INVITATIONS, ".setAudience(new URL(url).origin)", '.setAudience("https://example.com")'],
    [INVITATIONS_TEST, "the product lets an invited member in by the link on the member page"],
  ],
  "Only public keys are published": [
    [INVITATIONS, "exportJWK(createPublicKey(key))", "exportJWK(key)"],
    [INVITATIONS_UNIT_TEST, "names its key by thumbprint, which is the id of the published key"],
  ],
  "Another subdomain can't sign its visitors up": [
    [SAME_ORIGIN, 'site === "same-origin" || site === "none"', 'site !== "cross-site"'],
    [CSRF_TEST, 'another subdomain of our domain: {"sec-fetch-site":"same-site"} → 403'],
  ],
  "Another origin can't sign up the visitors of older browsers": [
    [SAME_ORIGIN, "url.host === host || url.origin === publicOrigin", "true"],
    [CSRF_TEST, 'an older browser, from another origin: {"origin":"https://evil.example"} → 403'],
  ],
  "Another website can't request links": [
    ["server/routes/link-requests.ts", "onRequest: [rejectCrossSite(publicOrigin), enforce(", "onRequest: [enforce("],
    ["tests/integration/link-requests.test.ts", "another site can't request links with its visitors' browsers"],
  ],
};
