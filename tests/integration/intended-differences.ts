import type { Difference } from "#tests/support/both-versions.ts";

/**
 * Intended differences from version 1.0.0, each with its reason. An entry that matches no response fails the last test,
 * so the list can't go stale.
 */
export const INTENDED: Difference[] = [
  {
    why: "A form posted without JavaScript returns with what is actually wrong with a name or company",
    is: (before, after) =>
      before.replace(/#(first-name-missing|last-name-missing|not-joined)/, "#…") ===
      after.replace(/#(first-name|last-name|company)-(too-long|unusable)/, "#…"),
  },
  {
    why: "A member's download is streamed, and its names are for people",
    is: (before, after) =>
      /^content-disposition: attachment/im.test(after) &&
      after.includes('"Your sign-up": {') &&
      headWithoutLength(before) === headWithoutLength(after),
  },
  {
    why: "Member pages have new words, editable details and a second question before leaving",
    is: (before, after) =>
      isMemberPage(before) &&
      isMemberPage(after) &&
      headWithoutLength(before) ===
        headWithoutLength(after).replace(/^(HTTP\/1\.1 404[\s\S]*referrer-policy: )same-origin/, "$1no-referrer"),
  },
  {
    why: "The path of the member pages is the page that emails people their link",
    is: (before, after) =>
      before.startsWith("HTTP/1.1 404") &&
      (/^HTTP\/1\.1 405[\s\S]*\nallow: GET, HEAD\r/i.test(after) ||
        (after.startsWith("HTTP/1.1 200") && /^referrer-policy: same-origin\r$/im.test(after))),
  },
  {
    why: "An idempotency key that belongs to a sign-up with other content is refused",
    is: (before, after) => before.startsWith("HTTP/1.1 201") && after.startsWith("HTTP/1.1 422"),
  },
  {
    why: "If-None-Match is compared weakly and may be a list",
    is: (before, after) => before.startsWith("HTTP/1.1 200") && after.startsWith("HTTP/1.1 304"),
  },
  {
    why: "The member page's stylesheet names its values from brand/ differently and looks the same",
    is: (before, after) =>
      /^content-type: text\/css/im.test(after) && headWithoutLength(before) === headWithoutLength(after),
  },
];

function isMemberPage(response: string): boolean {
  return response.includes("/api/waitlist/membership.css");
}

function headWithoutLength(response: string): string {
  const lines = response.slice(0, response.indexOf("\r\n\r\n")).split("\r\n");
  return lines.filter((line) => !/^(content-length|transfer-encoding): /i.test(line)).join("\r\n");
}
