import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { brand } from "#brand/brand.ts";
import { dark, light } from "#brand/tokens.ts";
import { MEMBERSHIP_PATH, UNSUBSCRIBE_PATH, WAITLIST_PATH } from "#contract/paths.ts";
import { type Release, releaseWithBrand } from "#tests/support/release.ts";
import { runNode } from "#tests/support/run-node.ts";
import { type ScratchSmtp, startScratchSmtp } from "#tests/support/scratch-smtp.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { type RunningServer, startServer } from "#tools/dev/running-site.ts";

const ACCENTS = {
  [dark.accent]: "#fb923c",
  [dark.accentFar]: "#fde047",
  [light.accent]: "#c2410c",
  [light.accentFar]: "#a16207",
};
const RENAMED = {
  [brand.name]: "Nightjar",
  [brand.address]: "https://nightjar.example",
  [brand.mail]: "hello@nightjar.example",
  [brand.security.mail]: "security@nightjar.example",
  [brand.postalAddress]: "1 Nightjar Lane, Aviary",
  ...ACCENTS,
};

/** An internal name that survives a rename; tests/policy/brand.test.ts says why. */
const TRUSTED_TYPES_POLICY = "farwatch-backdrop";

const context = useTestDatabase();
let release: Release;
let smtp: ScratchSmtp;
let server: RunningServer;

beforeAll(async () => {
  release = releaseWithBrand(RENAMED);
  smtp = await startScratchSmtp();
  const settings = {
    SMTP_URL: smtp.url,
    SECRET: "an example secret of 32 characters",
    PUBLIC_ORIGIN: RENAMED[brand.address],
  };
  server = await startServer({ DATABASE_URL: context.url, ...settings, LOG_LEVEL: "info" }, [], release.folder);
});

afterAll(async () => {
  await server?.stop();
  await smtp?.stop();
  release?.remove();
});

const OLD_BRAND = new RegExp([brand.name, ...Object.keys(ACCENTS)].join("|"), "gi");

/** Occurrences of the old brand in each text. */
function traces(texts: Record<string, string>): string[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    (text.replaceAll(TRUSTED_TYPES_POLICY, "").match(OLD_BRAND) ?? []).map((found) => `${name}: ${found}`),
  );
}

test("the built page, its files, security.txt and the API document contain only the new brand", async () => {
  // Not searched: PNGs (drawn by `npm run generate -- pictures`), fonts, and .br and .gz copies of searched files.
  const paths = [...globSync("dist/**/*", { cwd: release.folder }), "docs/openapi.json"];
  const texts: Record<string, string> = Object.fromEntries(
    paths
      .filter((path) => /\.(css|html|js|json|svg|txt|webmanifest|xml)$/.test(path))
      .map((path) => [path, readFileSync(join(release.folder, path), "utf8")]),
  );
  texts["security.txt"] = await (await fetch(`${server.origin}/.well-known/security.txt`)).text();
  expect(traces(texts)).toEqual([]);
  for (const path of ["dist/index.html", "dist/site.webmanifest", "security.txt", "docs/openapi.json"])
    expect(texts[path]).toMatch(/nightjar/i);
  expect(texts["dist/icon.svg"]).toContain(ACCENTS[dark.accentFar]);
  expect(texts["dist/index.html"]).toContain(ACCENTS[dark.accent]);
});

test("the email, the member page and the data download contain only the new brand", async () => {
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  await fetch(server.origin + WAITLIST_PATH, { ...post, body: JSON.stringify(aSignUp()) });
  await expect.poll(() => smtp.mails.length, { timeout: 10_000 }).toBe(1);
  const [mail] = smtp.mails;
  const [source] = await smtp.inbox();
  const { subject = "", text = "", html = "" } = mail ?? {};
  const page = new RegExp(`${RENAMED[brand.address]}(${MEMBERSHIP_PATH}/\\S+)`).exec(text)?.[1] ?? "";
  const unsubscribe = new RegExp(`${UNSUBSCRIBE_PATH}/\\S+`).exec(text)?.[0] ?? "";

  const load = async (path: string) => {
    const response = await fetch(server.origin + path);
    return `${JSON.stringify([...response.headers])}\n${await response.text()}`;
  };
  const texts = {
    // Includes headers such as From and Message-ID.
    source: source?.toString() ?? "",
    subject,
    text,
    html,
    page: await load(page),
    style: await load(`${MEMBERSHIP_PATH}.css`),
    download: await load(`${page}/data`),
    expired: await load(`${page}x`),
    unsubscribe: await load(unsubscribe),
    lostLink: await load(MEMBERSHIP_PATH),
  };
  expect(traces(texts)).toEqual([]);
  const { source: rawMail, subject: title, style, download, ...named } = texts;
  expect(title).toBe("Confirm your email address");
  for (const content of Object.values(named)) expect(content).toContain("Nightjar");
  for (const part of [text, html]) expect(part).toContain(RENAMED[brand.postalAddress]);
  expect(rawMail).toContain("From: Nightjar <hello@nightjar.example>");
  expect(html).toContain(ACCENTS[light.accent]);
  expect(style).toContain(ACCENTS[dark.accent]);
  expect(download).toContain('filename=\\"nightjar.json\\"');
});

test("the command line contains only the new brand", async () => {
  const { stdout: help } = await runNode(join(release.folder, "cli/waitlist.ts"), {}, ["--help"]);
  expect(traces({ help })).toEqual([]);
  expect(help).toContain("Nightjar");
});
