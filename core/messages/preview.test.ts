import { expect, test } from "vitest";
import { createKeys } from "#core/config/keys.ts";
import type { Mail } from "#core/mail/sender.ts";
import { inColorScheme, renderPreview } from "./preview.ts";

const links = {
  keys: createKeys("a secret of at least 32 characters"),
  origin: "https://farwatch.example",
  postalAddress: "1 Main Street",
};
const MENTIONED = "@media (prefers-color-scheme: dark)";

test("a preview is in one color scheme, and text that mentions one stays as it is", () => {
  const { html } = renderPreview({ kind: "announcement", subject: MENTIONED, body: MENTIONED }, links) as Mail;
  expect(html.split("prefers-color-scheme")).toHaveLength(4);
  const [light, dark] = [inColorScheme(html, "light"), inColorScheme(html, "dark")];
  expect(light).toContain("@media not all {");
  expect(dark).toContain("@media all {");
  expect(dark).toContain('<meta name="color-scheme" content="dark">');
  for (const forced of [light, dark]) expect(forced.split("prefers-color-scheme")).toHaveLength(3);
});
