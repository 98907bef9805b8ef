import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { brand } from "#brand/brand.ts";
import { dark } from "#brand/tokens.ts";
import { createApp } from "#server/app.ts";
import { loadSite } from "#server/http/site.ts";
import { useTestDatabase } from "#tests/support/test-database.ts";
import { unlimited } from "#tools/dev/unlimited.ts";

const context = useTestDatabase();
let app: FastifyInstance;
beforeAll(async () => {
  app = await createApp({ db: context.db, ...unlimited, site: loadSite("dist") });
});
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test("hashed assets are immutable, pages are cached for a second, and both are compressed", async () => {
  const script = /src="(\/assets\/[^"]+\.js)"/.exec((await get("/")).body)?.[1] ?? "";
  for (const encoding of ["br", "gzip"]) {
    expect((await get("/", { "accept-encoding": encoding })).headers).toMatchObject({
      "content-encoding": encoding,
      "cache-control": "public, max-age=1, stale-while-revalidate=10, stale-if-error=86400",
    });
    expect((await get(script, { "accept-encoding": encoding })).headers).toMatchObject({
      "content-encoding": encoding,
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "text/javascript; charset=utf-8",
    });
  }
  expect((await get(script)).headers["content-encoding"]).toBeUndefined();
});

test("exactly the chunks that hydration imports are preloaded, at low priority", async () => {
  // Reads the built scripts, because the build itself relies on Vite's manifest.
  const first = async (page: string) => /<script [^>]*src="([^"]+)"/.exec((await get(page)).body)?.[1] ?? "";
  const importsOf = async (path: string, pattern: RegExp) =>
    [...(await get(path)).body.matchAll(pattern)].map(([, name]) => `/assets/${name}`);
  const needed = new Set<string>();
  const add = async (path: string) => {
    if (needed.has(path)) return;
    needed.add(path);
    for (const next of await importsOf(path, /\b(?:from|import)"\.\/([^"]+)"/g)) await add(next);
  };
  const script = await first("/");
  for (const path of await importsOf(script, /\bimport\(`\.\/([^`]+)`\)/g)) await add(path);
  needed.delete(script);
  expect([...needed].filter((path) => /\/(client|hydrate)-/.test(path))).toHaveLength(2);

  for (const page of ["/", "/nothing"]) {
    const links = (await get(page)).body.match(/<link [^>]*modulepreload[^>]*>/g) ?? [];
    expect(links.map((link) => /href="([^"]+)"/.exec(link)?.[1]).toSorted()).toEqual([...needed].toSorted());
    for (const link of links) expect(link).toContain('fetchpriority="low"');
  }
});

test("an unchanged page returns 304", async () => {
  const etag = String((await get("/")).headers.etag);
  expect((await get("/", { "if-none-match": etag })).statusCode).toBe(304);
});

test("browsers and crawlers find the manifest, icons, robots.txt, sitemap, share image and JSON-LD", async () => {
  const html = (await get("/")).body;
  const attribute = (tag: RegExp, name: string) =>
    new RegExp(`${name}="([^"]*)"`).exec(html.match(tag)?.[0] ?? "")?.[1] ?? "";
  const meta = (name: string) => attribute(new RegExp(`<meta [^>]*"${name}"[^>]*>`), "content");
  expect(meta("og:title")).toContain(brand.name);
  expect(meta("twitter:card")).toBe("summary_large_image");
  expect(meta("theme-color")).toBe(dark.ground);
  expect(meta("description")).toContain("Cutting-edge cybersecurity");
  expect(attribute(/<link rel="canonical"[^>]*>/, "href")).toBe(`${brand.address}/`);
  const [, jsonLd = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  const publisher = { "@type": "Organization", name: brand.name };
  expect(JSON.parse(jsonLd)).toMatchObject({ "@type": "SoftwareApplication", publisher });

  // A PNG has its width and height at bytes 16 and 20.
  const { rawPayload } = await get(new URL(meta("og:image")).pathname);
  expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([1200, 630]);

  const icons = [...html.matchAll(/<link [^>]*rel="(?:icon|apple-touch-icon)"[^>]*>/g)].map(([link]) => link);
  const { icons: manifestIcons } = (await get("/site.webmanifest")).json();
  const paths = [
    ...icons.map((link) => /href="([^"]*)"/.exec(link)?.[1] ?? ""),
    ...manifestIcons.map(({ src }: { src: string }) => src),
  ];
  expect(icons).not.toEqual([]);
  for (const path of [...paths, "/robots.txt", "/sitemap.xml"]) expect((await get(path)).statusCode, path).toBe(200);
});
