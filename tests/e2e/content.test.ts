import { brand } from "#brand/brand.ts";
import { openFullyLoaded, openPage, recordCalls, stat } from "#tests/support/visitor.ts";
import { expect, test } from "./fixtures.ts";

test.describe("the landing page", () => {
  test.beforeEach(({ page }) => page.goto("/").then(() => {}));

  test("the hero shows the specified tagline", async ({ page }) => {
    await expect(
      page.getByText(
        "Cutting-edge cybersecurity solutions that protect a business from evolving threats with AI-powered defense mechanisms.",
        { exact: true },
      ),
    ).toBeVisible();
  });

  const dashboard = { "Threat level": "LOW", Monitors: "24/7", "Blocked attacks": "1,247", "System health": "OPTIMAL" };

  test("the sample dashboard shows threat level LOW, monitors 24/7, blocked attacks 1,247 and system health OPTIMAL", async ({
    page,
  }) => {
    const cells = page.locator("#about dl > div");
    await expect(cells).toHaveCount(4);
    for (const [name, value] of Object.entries(dashboard)) {
      await expect(cells.filter({ hasText: name }).locator("dd")).toHaveText(value);
    }
  });

  test("the dashboard is in the about section and labeled as sample data", async ({ page }) => {
    await expect(page.locator("#about figure").getByText("Sample data")).toBeVisible();
  });

  test("the headline has two parts, Secure Your and Digital Future", async ({ page }) => {
    const parts = page.getByRole("heading", { level: 1 }).locator("span");
    await expect(parts).toHaveText(["Secure Your", "Digital Future"]);
  });

  test("a centered badge with a green dot reads Advanced Cybersecurity Solutions", async ({ page }) => {
    const badge = page.getByText("Advanced Cybersecurity Solutions", { exact: true });
    await expect(badge).toBeVisible();
    const box = await badge.boundingBox();
    const width = page.viewportSize()?.width ?? 0;
    expect((box?.x ?? 0) + (box?.width ?? 0) / 2).toBeCloseTo(width / 2, 0);
    await expect(badge.locator("span")).toHaveCSS("background-color", "rgb(52, 211, 153)");
  });

  test("the hero links Join the Waitlist to #waitlist and Learn More to #features", async ({ page }) => {
    const hero = page.locator("main > section").first();
    await expect(hero.getByRole("link", { name: "Join the Waitlist", exact: true })).toHaveAttribute(
      "href",
      "#waitlist",
    );
    await expect(hero.getByRole("link", { name: "Learn More", exact: true })).toHaveAttribute("href", "#features");
  });

  test("the hero has a scroll hint at the bottom", async ({ page }) => {
    const hint = page.getByText("Scroll", { exact: true });
    await expect(hint).toBeVisible();
    expect((await hint.boundingBox())?.y).toBeGreaterThan((page.viewportSize()?.height ?? 0) * 0.8);
  });

  test("six feature cards show the specified titles in order", async ({ page }) => {
    await expect(page.locator("#features li h3")).toHaveText([
      "AI-Powered Threat Detection",
      "Real-Time Monitoring",
      "Zero-Trust Architecture",
      "Advanced Analytics",
      "Cloud Security",
      "Expert Support",
    ]);
  });

  test("the about section has three points, and Compliance Ready covers GDPR, SOC 2 and HIPAA", async ({ page }) => {
    const points = page.locator("#about li");
    await expect(points.locator("h3")).toHaveText([
      "Predictive Threat Intelligence",
      "Enterprise-Grade Security",
      "Compliance Ready",
    ]);
    for (const law of ["GDPR", "SOC 2", "HIPAA"]) await expect(points.nth(2)).toContainText(law);
  });

  test("the sections appear in order: hero, features, about, waitlist, footer", async ({ page }) => {
    const order = await page
      .locator("main > section, footer")
      .evaluateAll((elements) => elements.map((element) => element.id || element.tagName));
    expect(order).toEqual(["SECTION", "features", "about", "waitlist", "FOOTER"]);
  });

  test("the footer has the columns Product, Company and Support, and legal links", async ({ page }) => {
    for (const name of ["Product", "Company", "Support"]) {
      const column = page.locator("footer").getByRole("navigation", { name, exact: true });
      await expect(column.getByRole("heading", { name, exact: true })).toBeVisible();
    }
    for (const name of ["Privacy", "Terms", "Cookies"]) {
      await expect(page.locator("footer").getByRole("link", { name, exact: true })).toBeVisible();
    }
  });

  test("the footer has all thirteen specified anchors", async ({ page }) => {
    const hrefs = await page
      .locator('footer a[href^="#"]')
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    const specified =
      "#pricing #security #integrations #careers #blog #contact #help #docs #status #community #privacy #terms #cookies";
    expect(hrefs.sort()).toEqual(specified.split(" ").sort());
  });

  test("the copyright year is 2024", async ({ page }) => {
    await expect(page.locator("footer")).toContainText(`© 2024 ${brand.name}`);
  });
});

for (const path of ["/", "/anything/else"]) {
  test(`${path} has no sign-in`, async ({ page }) => {
    await page.goto(path);
    const name = /(sign|log)[ -]?(in|on)\b|account/i;
    for (const role of ["link", "button"] as const) await expect(page.getByRole(role, { name })).toHaveCount(0);
    await expect(page.locator("input[type=password], [autocomplete*=password]")).toHaveCount(0);
  });
}

test("the dashboard's four values are static text that no request fetches", async ({ page }) => {
  const calls = recordCalls(page);
  await page.route("**/api/**", (route) => route.abort());
  await openFullyLoaded(page, "/");
  await expect(page.locator("#about dd")).toHaveText(["LOW", "24/7", "1,247", "OPTIMAL"]);
  expect(calls).toEqual(["GET /api/waitlist/stats"]);
});

test("the stats row shows total users, companies interested and Days to Launch, fixed at 45", async ({ page }) => {
  await page.route("**/api/waitlist/stats", (route) =>
    route.fulfill({ json: { data: { totalUsers: 12345, companiesInterested: 678, daysToLaunch: 1 } } }),
  );
  await openPage(page);
  await expect(stat(page, "Total users")).toHaveText("12,345");
  await expect(stat(page, "Companies interested")).toHaveText("678");
  await page.clock.fastForward(3 * 24 * 60 * 60 * 1000);
  await expect(stat(page, "Days to Launch")).toHaveText("45");
});

for (const [name, body] of [
  ["an empty object", "{}"],
  ["data without numbers", '{"data":{}}'],
  ["values that aren't numbers", '{"data":{"totalUsers":"many","companiesInterested":{}}}'],
  ["numbers that aren't finite", '{"data":{"totalUsers":1e999,"companiesInterested":-1e999}}'],
  ["null", "null"],
] as const) {
  test(`stats are read from data.totalUsers and data.companiesInterested, and are 0 for ${name}`, async ({ page }) => {
    await page.route("**/api/waitlist/stats", (route) => route.fulfill({ body, contentType: "application/json" }));
    await openPage(page);
    await expect(stat(page, "Total users")).toHaveText("0");
    await expect(stat(page, "Companies interested")).toHaveText("0");
  });
}

test("the stats show 0, with no toast, when the API fails", async ({ page }) => {
  await page.route("**/api/waitlist/stats", (route) => route.fulfill({ status: 503, body: "" }));
  await openPage(page);
  await expect(stat(page, "Total users")).toHaveText("0");
  await expect(page.locator(".toast")).toHaveCount(0);
});

test("the Privacy, Terms and Cookies links scroll to their texts on the page", async ({ page }) => {
  await page.goto("/");
  for (const name of ["Privacy", "Terms", "Cookies"]) {
    await page.locator("footer").getByRole("link", { name, exact: true }).click();
    await expect(page.locator(`#${name.toLowerCase()}`)).toBeInViewport();
  }
});

test("a footer link to a page that isn't live yet shows a toast", async ({ page }) => {
  await openPage(page);
  await page.locator("footer").getByRole("link", { name: "Pricing" }).click();
  await expect(page.locator('.toast[data-variant="default"]')).toContainText("Coming at launch: Pricing");
});
