import { expect, test } from "vitest";
import { NEWSLETTER_CONSENT } from "#contract/sign-up.ts";
import { useTestApp } from "#tests/support/test-app.ts";

const context = useTestApp();
const { aMember, press, rows } = context;
const open = (url: string) => context.app.inject(url);

test("members can download every stored column, under readable names, and answers as texts", async () => {
  const response = await open(`${await aMember({ newsletter: true, company: "Acme" })}/data`);
  expect(response.headers["content-disposition"]).toMatch(/^attachment/);
  const file = response.json();
  const [row] = await rows();
  expect(Object.keys(file["Your sign-up"])).toHaveLength(Object.keys(row ?? {}).length - 1);
  expect(file["Your answers"]).toEqual([]);
  expect(JSON.stringify(file)).not.toMatch(/"[a-z]+_[a-z_]+":/);
  expect(file).toMatchObject({
    "Your sign-up": { "First name": "Ada", Company: "Acme", "Subscribed to product news": true },
    "Your choices about product news": [{ Agreed: true, "To what": NEWSLETTER_CONSENT.wording }],
    "Emails to you": [],
    "Your mailbox": null,
    "Forms held for review because they looked automated": [],
  });
});

test("members can read their data once they have confirmed, escaped and without empty fields", async () => {
  const page = await aMember({ firstName: "<b>Ada</b>", company: "", newsletter: true });
  expect((await open(`${page}/data.html`)).headers.location).toBe(page);
  await press(`${page}/confirm`);
  const { body, headers } = await open(`${page}/data.html`);
  expect(headers).toMatchObject({ "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
  expect(body).toContain("<dt>First name</dt><dd>&lt;b&gt;Ada&lt;/b&gt;</dd>");
  expect(body).toContain("<dt>Subscribed to product news</dt><dd>Yes</dd>");
  expect(body).toContain(`<dt>To what</dt><dd>${NEWSLETTER_CONSENT.wording}</dd>`);
  expect(body).toMatch(/<dt>Joined<\/dt><dd><p>\w+ \d+, \d{4}, \d\d:\d\d UTC<\/p><\/dd>/);
  expect(body).not.toMatch(/<dt>Company<|null|undefined|object/);
});
