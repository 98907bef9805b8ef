import { describe, expect, test } from "vitest";
import type { Mail } from "#core/mail/sender.ts";
import { checkMessage, type MessageText, type Recipient, renderMessage, SAMPLE } from "./render.ts";

const PAGE = "https://farwatch.example/api/membership/token";
const UNSUBSCRIBE = "https://farwatch.example/api/membership/unsubscribe/token";

const LINKS = { page: PAGE, unsubscribe: UNSUBSCRIBE, messageId: "<1@x.example>", postalAddress: "1 Main Street & Co" };
function render(body: string, recipient: Partial<Recipient> = {}, text: Partial<MessageText> = {}, inviteUrl?: string) {
  const message = { kind: "announcement", subject: "News", body, ...text } as const;
  return renderMessage(message, { ...SAMPLE, ...recipient }, { ...LINKS, inviteUrl }) as Mail;
}

const INVALID = { refused: "invalid" };
const check = (body: string, message: Partial<MessageText> = {}, inviteUrl?: string) =>
  checkMessage({ kind: "announcement", subject: "News", body, ...message }, inviteUrl);

describe("Markdown", () => {
  test("becomes HTML and text", () => {
    const { html, text } = render(
      "# Hello\n\nWe *launch* **soon**.\n\n- one\n- two\n\n[Read more](https://example.com/a)",
    );
    expect(html).toMatch(/<h1 [^>]*>Hello<\/h1>/);
    expect(html).toContain("<em>launch</em> <strong>soon</strong>");
    expect(html).toMatch(/<li [^>]*>one<\/li>/);
    expect(html).toMatch(/<a href="https:\/\/example\.com\/a"[^>]*>Read more<\/a>/);
    expect(text).toMatch(/^Hello\n\nWe launch soon\.\n\n- one\n- two\n\nRead more: https:\/\/example\.com\/a\n/);
  });

  test("makes a button of a bold link in a paragraph of its own, and of no other", () => {
    const hasButton = (body: string) => render(body).html.includes("display:inline-block");
    expect(hasButton("[**Create & go**](https://example.com/a)")).toBe(true);
    expect(render("[**Create & go**](https://example.com/a)").html).toContain(">Create &amp; go</a>");
    const others = "[Read](LINK), [**Read** more](LINK), Or [**read**](LINK), [**Read**](http://example.com)".split(
      ", ",
    );
    for (const body of others) expect(hasButton(body.replace("LINK", "https://example.com"))).toBe(false);
  });

  test("is the same for everyone who gets the message, except for what is filled in", () => {
    const body =
      "# Hi {{firstName}}\n\n- [x] one\n- [ ] **two**\n\n1. a\n\n   b\n\n> {{company}}\n\n| a |\n| - |\n| `b` |";
    const [ada, grace, again] = ["Ada", "Grace", "Ada"].map((firstName) => render(body, { firstName }));
    expect(again).toEqual(ada);
    expect(grace?.html).toBe(ada?.html.replaceAll("Ada", "Grace"));
    expect(grace?.text).toBe(ada?.text.replaceAll("Ada", "Grace"));
  });

  test.each([
    "<script>alert(1)</script>",
    "a <b onclick='x'>b</b> <script>1 < 2</script>",
    "`<b>`\n\n```\n<i>code</i>\n```",
    "<!-- <b> -->",
    "| <b>a</b> |\n| --- |\n| <i>b</i> |",
    '[<b>"x"</b>](https://example.com)',
  ])("shows raw HTML as text: %s", (body) => {
    const { html } = render(body);
    expect(html).not.toMatch(/<(script|img|b|i|div id|input)[ >]|onerror=alert\(1\)>/);
    expect(html).toContain("&lt;");
  });

  const HREFS = "javascript:alert(1) data:text/html,x http://example.com //example.com /path java&#10;script:alert(1)";
  test.each(HREFS.split(" "))("turns a link to %s into its text", (href) => {
    const { html, text } = render(`[click](${href})\n\n[ref][1]\n\n[1]: ${href}`);
    expect(html.match(/href="([^"]*)"/g)).toEqual([`href="${PAGE}"`, `href="${UNSUBSCRIBE}"`]);
    expect(text).toMatch(/^click\n\nref\n/);
  });

  test("keeps links to https and mailto, as they were written", () => {
    const { html, text } = render(
      "[a](https://example.com/?a=1&b=2) [b](mailto:ada@example.com) https://example.com/c",
    );
    expect(html).toContain('href="https://example.com/?a=1&amp;b=2"');
    expect(html).toContain('href="mailto:ada@example.com"');
    expect(html).toContain('href="https://example.com/c"');
    expect(text).toContain("a: https://example.com/?a=1&b=2");
  });
});

describe("placeholders", () => {
  test("are filled in with the recipient's data, in the subject, the HTML and the text", () => {
    const body = "Hi {{firstName}} {{ lastName }} of {{company}}";
    const { subject, html, text } = render(body, {}, { subject: "For {{firstName}}" });
    expect(subject).toBe("For Ada");
    expect(html).toContain("Hi Ada Lovelace of Acme");
    expect(text).toMatch(/^Hi Ada Lovelace of Acme\n/);
  });

  test("are never interpreted as HTML, Markdown or another placeholder", () => {
    const firstName = "**<b>Ada</b>** [x](mailto:spam) {{company}}\n\n# Big";
    const { subject, html, text } = render("Hi {{firstName}}!", { firstName }, { subject: "{{firstName}}" });
    expect(html).toContain("Hi **&lt;b&gt;Ada&lt;/b&gt;** [x](mailto:spam) {{company}} # Big!");
    expect(html).not.toContain('href="mailto:spam');
    expect(text).toMatch(/^Hi \*\*<b>Ada<\/b>\*\* \[x\]\(mailto:spam\) {{company}} # Big!\n/);
    expect(subject).not.toContain("\n");
  });

  test.each(["{{nickname}}", "{{constructor}}", "{{}}", "{{inviteUrl}}", "{{first*Name*}}"])(
    "an unknown one is an error when the message is saved: %s",
    (placeholder) => {
      expect(check(`Hi ${placeholder}`)).toMatchObject(INVALID);
      expect(check("Hi", { subject: placeholder })).toMatchObject(INVALID);
    },
  );

  test.each(["Hi {{firstName", "Hi \\{{firstName}}", "Hi {{ {{firstName}}"])(
    "one that isn't closed is an error: %s",
    (body) => {
      expect(check(body)).toMatchObject(INVALID);
    },
  );

  test("a link can't contain a person's data", () => {
    for (const body of ["[x](https://example.com/?who={{email}})", "[x][1]\n\n[1]: https://example.com/{{email}}"])
      expect(check(body)).toMatchObject({ detail: expect.stringContaining("A link can't contain a placeholder") });
  });

  test("an invitation can link to the recipient's invite URL, if there is one", () => {
    const invitation = { kind: "invitation" } as const;
    expect(check("[Accept]({{inviteUrl}})", invitation)).toMatchObject(INVALID);
    expect(check("[Accept]({{inviteUrl}})", invitation, "https://example.com/i/1")).toBeUndefined();
    const { html, text } = render("[Accept]({{inviteUrl}})", {}, invitation, "https://example.com/i/1?a=1&b=2");
    expect(html).toContain('href="https://example.com/i/1?a=1&amp;b=2"');
    expect(text).toMatch(/^Accept: https:\/\/example\.com\/i\/1\?a=1&b=2\n/);
  });
});

test.each([
  ["no subject", { subject: " " }],
  ["no body", { body: "\n" }],
  ["a subject of two lines", { subject: "a\nb" }],
  ["a subject that is too long", { subject: "a".repeat(201) }],
])("a message with %s is an error when it is saved", (_what, message) => {
  expect(check("Hi", message)).toMatchObject(INVALID);
});

describe("names that strangers typed", () => {
  const subject = "{{firstName}} {{lastName}} {{company}}";

  const urls = ["https://spam.example", "Win at spam.example now", "www.spam.example/x", "x@spam.example", "1.Casino"];
  // Browsers read each of these dots as a dot.
  test.each([...urls, ...[..."．。｡"].map((dot) => `spam${dot}example`)])(
    "leaves out a name that has a URL: %s",
    (name) => {
      const mail = render("Hi {{firstName}}!", { firstName: name, lastName: name }, { subject });
      expect(mail.subject).toBe("there  Acme");
      expect(mail.text).toMatch(/^Hi there!/);
      expect(mail.html).toContain("Hi there!");
    },
  );

  test("leaves out a company that is a URL, and keeps other names with dots", () => {
    for (const company of [
      "https://spam.example",
      "Verify: spam.example/login",
      "spam.example?x",
      "evil-bonus.com",
      "spam。com",
      "spam｡com",
      "spam．com",
    ])
      expect(render("Hi", { company }, { subject }).subject).toBe("Ada Lovelace ");
    const names = { firstName: "J. R.", lastName: "O'Neil Jr.", company: "Booking.com" };
    expect(render("Hi", names, { subject }).subject).toBe("J. R. O'Neil Jr. Booking.com");
  });
});

test.each(["announcement", "invitation"] as const)("every %s says who sends it and how to unsubscribe", (kind) => {
  const { html, text, headers, messageId } = render("Hi", {}, { kind });
  expect(text).toContain("\n1 Main Street & Co\n");
  expect(html).toContain("<br>1 Main Street &amp; Co<br>");
  for (const part of [html, text]) {
    expect(part).toContain("Unsubscribe");
    expect(part).toContain(PAGE);
    expect(part).toContain(UNSUBSCRIBE);
  }
  expect(headers).toMatchObject({
    "list-unsubscribe": `<${UNSUBSCRIBE}>`,
    "list-unsubscribe-post": "List-Unsubscribe=One-Click",
  });
  expect(messageId).toBe("<1@x.example>");
});
