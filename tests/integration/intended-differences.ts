import type { Difference } from "#tests/support/both-versions.ts";

/**
 * Intended differences from version 1.0.0, each with its reason. An entry that matches no response fails the last test, so
 * the list can't go stale.
 */
export const INTENDED: Difference[] = [
  {
    why: "A form posted without JavaScript returns with what is actually wrong with a name or company",
    is: (before, after) =>
      before.replace(/#(first-name-missing|last-name-missing|not-joined)/, "#…") ===
      after.replace(/#(first-name|last-name|company)-(too-long|unusable)/, "#…"),
  },
  {
    why: "A member's download is streamed and includes deliveries and columns that version 1.0.0 didn't have",
    is: (before, after) =>
      withoutWording(before.replace(/^content-length: .*\r\n/m, "")) ===
      withoutWording(unchunked(after.replace(/^transfer-encoding: chunked\r\n/im, ""))).replaceAll(
        /,\n {4}"(wave_id|mailbox_key|mail_network)": null|\n {2}"deliveries": \[\],/g,
        "",
      ),
  },
  {
    why: "The consent to news has a new wording, version 2",
    is: (before, after) => {
      const [old, current] = [before, after].map((text) => text.replace(/^content-length: .*\r\n/m, ""));
      return withoutWording(old ?? "") === withoutWording(current ?? "");
    },
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

function withoutWording(response: string): string {
  return response
    .replaceAll(/Also send me product news by email[^<"]*|Email me product news too[^<"]*/g, "…")
    .replaceAll(/"version": [12]/g, '"version": …');
}

function headWithoutLength(response: string): string {
  return response.slice(0, response.indexOf("\r\n\r\n")).replace(/^content-length: \d+\r\n/im, "");
}

/** Without the lines that give the sizes of chunks, which JSON can't contain: its lines end without a carriage return. */
function unchunked(response: string): string {
  const bodyAt = response.indexOf("\r\n\r\n") + 4;
  const body = response.slice(bodyAt).replace(/(^|\r\n)[0-9a-f]+\r\n/g, "");
  return response.slice(0, bodyAt) + body.trimEnd();
}
