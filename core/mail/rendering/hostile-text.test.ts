import { expect, test } from "vitest";
import { checkMessage, type Recipient, renderMessage, sampleRecipient } from "./render.ts";

const LINKS = { page: "https://farwatch.example/p", unsubscribe: "https://farwatch.example/u", messageId: "<1@x>" };
const render = (recipient: Partial<Recipient>) =>
  renderMessage(
    { kind: "announcement", subject: "{{firstName}} {{lastName}} {{company}}", body: "Hi {{firstName}}!" },
    { ...sampleRecipient(), ...recipient },
    LINKS,
  );

test.each(["https://spam.example", "Win at spam.example now", "www.spam.example/x", "x@spam.example", "1.CasinoBonus"])(
  "leaves out a name that has a URL: %s",
  (name) => {
    const { subject, text, html } = render({ firstName: name, lastName: name });
    expect(subject).toBe("there  Acme");
    expect(text).toMatch(/^Hi there!/);
    expect(html).toContain("Hi there!");
  },
);

test("leaves out a company that is a URL, and keeps other names with dots", () => {
  expect(render({ company: "https://spam.example" }).subject).toBe("Ada Lovelace ");
  const names = { firstName: "J. R.", lastName: "O'Neil Jr.", company: "Booking.com" };
  expect(render(names).subject).toBe("J. R. O'Neil Jr. Booking.com");
});

const check = (body: string) => () => checkMessage({ kind: "announcement", subject: "News", body });

test.each([
  ["in one paragraph", "*a_".repeat(4000)],
  ["in lines", "*a_\n".repeat(4000)],
  ["in paragraphs", `${"*a_".repeat(100)}\n\n`.repeat(20)],
  ["in nested lists", "1. ".repeat(6000)],
])("rejects Markdown that takes seconds to parse: %s", (_where, body) => {
  const startedAt = performance.now();
  expect(check(body)).toThrow("too many formatting characters");
  expect(performance.now() - startedAt).toBeLessThan(1000);
});

test("accepts a long message with much formatting", () => {
  const list = "- **Bold**, _emphasis_ and [a link](https://example.com/a_b)\n".repeat(40);
  expect(check(`${`A *paragraph* with \`code\`!\n\n`.repeat(500)}${list}`)).not.toThrow();
});
