// Past 200 lines, because all tests share a provider, a console and the browsers of three roles.
import { type Browser, type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { connect, type Database } from "#core/database/connect.ts";
import { uninviteWave } from "#core/invitations/uninvite.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { setRole } from "#core/operators/team-roles.ts";
import { migrateDatabase } from "#core/service/migrate-database.ts";
import { changeMessage, createMessage } from "#tests/support/accepted.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { expectNoViolationsLightAndDark } from "#tests/support/axe.ts";
import { switchMail } from "#tests/support/mail-on.ts";
import { NEWS, sendNews } from "#tests/support/messages.ts";
import { HOSTS, startTwoSites, type TwoSites } from "#tests/support/team/two-sites.ts";
import { chromiumWithoutWebgl } from "#tools/chromium.ts";
import { startScratchPostgres } from "#tools/dev/scratch-postgres.ts";
import { seed } from "#tools/dev/seed/seed.ts";

interface Team extends TwoSites {
  db: Database;
}

/** Blocks the internet, because the provider's pages would wait for a web font. */
const rules = [...HOSTS.map((host) => `MAP ${host} 127.0.0.1`), "MAP * ~NOTFOUND"].join(",");

const test = base.extend<object, { team: Team }>({
  launchOptions: [
    { ...chromiumWithoutWebgl, args: [...chromiumWithoutWebgl.args, `--host-resolver-rules=${rules}`] },
    { scope: "worker" },
  ],
  team: [
    async ({ browserName: _ }, use) => {
      const postgres = await startScratchPostgres();
      const db = connect(postgres.url);
      // The console has only the privileges of its own role.
      const { host, password } = new URL(postgres.url);
      await db.pool.query(`create role farwatch_console login password '${password}'`);
      await migrateDatabase(postgres.url);
      await seed(db, 200, new Date());
      for (const [name, role] of Object.entries({ ada: "admin", vera: "viewer", eddie: "editor" } as const))
        await setRole(db, OPERATOR, `${name}@company.test`, role);
      const team = await startTwoSites(`postgres://farwatch_console:${password}@${host}/postgres`);
      await use({ ...team, db });
      await team.stop();
      await db.destroy();
      await postgres.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ team }, use) => use(team.origin),
});
// The first test needs a console that hasn't contacted its provider.
test.describe.configure({ mode: "serial" });
test.use({ ignoreHTTPSErrors: true });

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

/** Types a name into the provider's form, and consents the first time. */
async function passProvider(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill(name);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

async function signIn(page: Page, name: string, path = "/"): Promise<void> {
  await page.goto(path);
  await page.getByRole("link", { name: "Continue with login.company.test" }).click();
  await passProvider(page, name);
}

/** A page in someone else's browser. */
async function anotherBrowser(browser: Browser, team: Team): Promise<Page> {
  const context: BrowserContext = await browser.newContext({ ignoreHTTPSErrors: true, baseURL: team.origin });
  return context.newPage();
}

test("says why people can't sign in: provider down, no role, unverified, other account, too late", async ({
  page,
  team,
  browser,
}) => {
  test.slow();
  await page.goto("/people");
  await page.getByRole("link", { name: "Continue with login.company.test" }).click();
  await expect(heading(page, "Sign-in isn't available")).toBeVisible();
  await team.startProvider();
  await page.getByRole("link", { name: "Try again" }).click();
  await passProvider(page, "mallory");
  await expect(heading(page, "You don't have access")).toBeVisible();

  const failures = {
    unverified: "Your address isn't verified",
    ada: "Overview",
    ada2: "This address belongs to another account",
  };
  for (const [name, title] of Object.entries(failures)) {
    const other = await anotherBrowser(browser, team);
    await signIn(other, name);
    await expect(heading(other, title)).toBeVisible();
    if (name === "ada2") await expectNoViolationsLightAndDark(other, title);
    await other.context().close();
  }

  const late = await anotherBrowser(browser, team);
  await late.goto("/");
  await late.getByRole("link", { name: "Continue with login.company.test" }).click();
  await late.getByPlaceholder("Enter any login").waitFor();
  await late.context().clearCookies({ name: /farwatch/ });
  await passProvider(late, "ada");
  await expect(heading(late, "Signing in took too long")).toBeVisible();
  await late.context().close();
});

test("a bookmark leads through the provider back to the same place, other tabs share the session, and signing out ends it", async ({
  page,
  team,
}) => {
  await team.startProvider();
  const bookmark = "/people?confirmed=yes";
  await page.goto(bookmark);
  await expect(heading(page, "Farwatch's waitlist")).toBeVisible();
  await expectNoViolationsLightAndDark(page, "without a session");
  await signIn(page, "ada", bookmark);
  await expect(heading(page, "People")).toBeVisible();
  expect(page.url()).toBe(team.origin + bookmark);

  const tab = await page.context().newPage();
  await tab.goto("/activity?by=ada@company.test");
  await expect(tab.getByRole("main")).toContainText("ada@company.test signed in");
  await page.goto("/messages/new?kind=announcement");
  await page.getByLabel("Subject").fill("Not for the next person at this computer");
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(1);
  await page.getByRole("button", { name: "Account: ada@company.test" }).click();
  await expectNoViolationsLightAndDark(page, "account");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Yes, sign me out" }).click();
  await expect(heading(page, "You're signed out")).toBeVisible();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.reload();
  await expect(heading(page, "You're signed out")).toBeVisible();

  // The other tab notices the sign-out by polling.
  await expect(heading(tab, "Your session has ended")).toBeVisible();
  await tab.getByRole("link", { name: "Continue with login.company.test" }).click();
  await passProvider(tab, "ada");
  await expect(heading(tab, "Activity")).toBeVisible();
  await expect(tab.getByLabel("Operator")).toHaveValue("ada@company.test");
});

test("offers what a role includes, and an admin ends a session without losing that person's text", async ({
  page,
  team,
  browser,
}) => {
  const { db } = team;
  await team.startProvider();
  const { id } = await createMessage(db, OPERATOR, NEWS);
  const viewer = await anotherBrowser(browser, team);
  await viewer.clock.install();
  await signIn(viewer, "vera", "/people/7");
  await expect(heading(viewer, "People")).toBeVisible();
  await expect(viewer.getByRole("dialog", { name: "Person" }).getByRole("button")).toHaveCount(1);
  for (const name of ["Export", "Team"]) await expect(viewer.getByRole("link", { name })).toHaveCount(0);
  await viewer.goto("/export");
  await expect(viewer.getByText("your role doesn't include it")).toBeVisible();
  // A minute after the last input, requests no longer extend the session.
  const polling = viewer.waitForRequest((request) => request.headers()["x-polling"] === "1");
  await viewer.clock.fastForward(61_000);
  await polling;

  const editor = await anotherBrowser(browser, team);
  await signIn(editor, "eddie", `/messages/${id}`);
  await editor.getByLabel("Subject").fill("News from Eddie");
  await expect(editor.getByText("Not saved yet")).toBeVisible();

  await signIn(page, "ada", "/team");
  const row = page.getByRole("row", { name: /eddie@company.test/ });
  await expect(row).toContainText("editor");
  await expectNoViolationsLightAndDark(page, "team");
  await row.getByRole("button", { name: "End…" }).click();
  await expectNoViolationsLightAndDark(page, "end session");
  await page.getByRole("button", { name: "End session" }).click();
  await expect(page.getByText("Ended a session of eddie@company.test.")).toBeVisible();
  await expect(row).toHaveCount(0);

  await page.getByRole("button", { name: "Change… the role of ada@company.test" }).first().click();
  await expect(page.getByRole("dialog").getByRole("combobox")).toHaveValue("admin");
  await page.getByRole("button", { name: "Done" }).click();
  await page
    .getByRole("row", { name: /vera@company.test/ })
    .getByRole("button", { name: "Change…" })
    .click();
  await page.getByRole("dialog").getByRole("combobox").selectOption("editor");
  const command = "npx waitlist console roles set 'vera@company.test' editor";
  await expect(page.getByLabel("Command")).toHaveValue(command);
  await expectNoViolationsLightAndDark(page, "change a role");

  // A refetch may notice the session's end before the click.
  await editor
    .getByRole("button", { name: "Save" })
    .click({ timeout: 5000 })
    .catch(() => {});
  await expect(heading(editor, "Your session has ended")).toBeVisible();
  // The provider still has Eddie's session.
  await editor.getByRole("link", { name: "Continue with login.company.test" }).click();
  await expect(editor.getByLabel("Subject")).toHaveValue("News from Eddie");
  await editor.getByRole("button", { name: "Save" }).click();
  await expect(editor.getByText("Saved", { exact: true })).toBeVisible();
  for (const other of [viewer, editor]) await other.context().close();
});

test("doesn't offer what the team's console has no keys for", async ({ page, team }) => {
  const { db } = team;
  await team.startProvider();
  const { id: wave } = await inviteNext(db, OPERATOR, {}, 2);
  await uninviteWave(db, OPERATOR, wave);
  await signIn(page, "ada", "/waves");
  const row = page.getByRole("row", { name: new RegExp(`^Wave ${wave} `) });
  await expect(row).toContainText("2 taken back");
  await expect(row.getByRole("button")).toHaveCount(0);

  await switchMail(db, true);
  const id = await sendNews(db, { audience: { confirmed: true } });
  await changeMessage(db, OPERATOR, id, "cancel");
  await page.goto(`/messages/${id}`);
  await expect(page.getByRole("button", { name: "Duplicate" })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Write to/ })).toHaveCount(0);
  await page.goto("/messages/new?kind=announcement");
  await expect(page.getByRole("button", { name: "Review and send…" })).toBeEnabled();
  await expect(page.getByRole("button", { name: "Send a test…" })).toHaveCount(0);
});
