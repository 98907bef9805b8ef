import type { Page } from "@playwright/test";
import { brand } from "#brand/brand.ts";
import { openFullyLoaded } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

const HEADINGS = [
  "Secure Your",
  "Digital Future",
  "See it coming, and be ready when it does",
  "A lookout for businesses of every size",
  "Be there before it opens",
];

test("/ answers 200 with the headline, every section heading and the form in the HTML itself", async ({ request }) => {
  const answer = await request.get("/");
  expect(answer.status()).toBe(200);
  const html = await answer.text();
  for (const heading of HEADINGS) expect(html).toContain(heading);
  expect(html).toMatch(/<form [^>]*action="\/api\/waitlist" method="post"/);
});

for (const path of ["/anything/else", "/index.html", "/not-found.html", "/assets/none.js", "//", "/%00", "/..%2f"]) {
  test(`${path} answers 404 with the not-found page`, async ({ request, site, isProxied }) => {
    test.skip(isProxied && path.includes("%"), "nginx itself answers 400 to what can't be a path");
    const answer = await request.get(site.origin + path);
    expect(answer.status()).toBe(404);
    expect(await answer.text()).toContain("Did you forget to add the page to the router?");
  });
}

test("any other path is a page titled 404 Page Not Found, with its text and a way home", async ({ page }) => {
  await page.goto("/anything/else");
  await expect(page).toHaveTitle("404 Page Not Found");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("404 Page Not Found");
  await expect(page.getByText("Did you forget to add the page to the router?", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Back to the start" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Secure Your");
});

test("neither page has an inline script, an inline handler or a style attribute", async ({ request }) => {
  for (const path of ["/", "/nothing"]) {
    const html = await (await request.get(path)).text();
    // JSON-LD is data in a script element's clothes: no browser runs it.
    const code = html.replace(/<script type="application\/ld\+json">.*?<\/script>/s, "");
    expect(code).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  }
});

for (const path of ["/", "/anything/else"]) {
  test(`${path} reads the same with JavaScript off`, async ({ page, browser, site }) => {
    await openFullyLoaded(page, path);
    const without = await browser.newContext({ javaScriptEnabled: false, baseURL: site.origin });
    const still = await without.newPage();
    await still.goto(path);
    // biome-ignore lint/performance/useDomNodeTextContent: what a visitor reads is the rendered text
    const read = (of: Page) => of.locator("#root").innerText();
    // Numbers are the one thing that JavaScript brings.
    const words = (text: string) => text.replace(/\d+/g, "#");
    expect(words(await read(still))).toBe(words(await read(page)));
    expect(await read(still)).not.toBe("");
    await without.close();
  });
}

test("hydration finds the page as it was rendered: nothing is said on the console", async ({ page }) => {
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  await openFullyLoaded(page, "/");
  expect(said).toEqual([]);
});

const MOMENT = "public, max-age=1, stale-while-revalidate=10, stale-if-error=86400";

test("hashed assets are immutable, pages are shared for a moment, and both come compressed", async ({ request }) => {
  const home = await request.get("/");
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await home.text())?.[1] ?? "";
  for (const coding of ["br", "gzip"]) {
    const page = await request.get("/", { headers: { "accept-encoding": coding } });
    expect(page.headers()).toMatchObject({ "content-encoding": coding, "cache-control": MOMENT });
    const asset = await request.get(script, { headers: { "accept-encoding": coding } });
    expect(asset.headers()).toMatchObject({
      "content-encoding": coding,
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "text/javascript; charset=utf-8",
    });
  }
  const plain = await request.get(script, { headers: { "accept-encoding": "identity" } });
  expect(plain.headers()["content-encoding"]).toBeUndefined();
});

test("a page that has not changed answers 304", async ({ request }) => {
  const { etag = "" } = (await request.get("/")).headers();
  expect((await request.get("/", { headers: { "if-none-match": etag } })).status()).toBe(304);
});

test("machines find what they look for: manifest, icons, robots, sitemap, the shared picture and linked data", async ({
  page,
  request,
}) => {
  await page.goto("/");
  const content = (name: string) =>
    page.locator(`meta[property="${name}"], meta[name="${name}"]`).getAttribute("content");
  expect(await content("og:title")).toContain(brand.name);
  expect(await content("twitter:card")).toBe("summary_large_image");
  expect(await content("theme-color")).toBe("#05060a");
  expect(await content("description")).toContain("Cutting-edge cybersecurity");
  expect(await page.locator("link[rel=canonical]").getAttribute("href")).toBe(`${brand.address}/`);
  const linked = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? "");
  expect(linked["@graph"].map((one: { "@type": string }) => one["@type"])).toEqual([
    "Organization",
    "SoftwareApplication",
  ]);

  const picture = new URL((await content("og:image")) ?? "").pathname;
  const size = await page.evaluate(async (path) => {
    const image = await createImageBitmap(await (await fetch(path)).blob());
    return [image.width, image.height];
  }, picture);
  expect(size).toEqual([1200, 630]);

  const icons = await page
    .locator("link[rel=icon], link[rel=apple-touch-icon]")
    .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
  const { icons: more } = await (await request.get("/site.webmanifest")).json();
  for (const path of [...icons, ...more.map(({ src }: { src: string }) => src), "/robots.txt", "/sitemap.xml"]) {
    expect((await request.get(path)).status(), path).toBe(200);
  }
});
