import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { MEMBERSHIP_PATH } from "#contract/paths.ts";
import { createKeys } from "#core/config/keys.ts";
import { createToken } from "#core/links/links.ts";
import { expectNoViolationsLightAndDark } from "#tests/support/axe.ts";
import { button, open, openFilter } from "#tests/support/console.ts";
import { configureMail, startAdasConsole } from "#tests/support/console-parts.ts";
import { MAIL_SECRET, type MailSite, withMailSite } from "#tests/support/mail-site.ts";
import { addPeople } from "#tests/support/people.ts";
import { addQuestions, TEAM_SIZE, TOOLS } from "#tests/support/questions.ts";
import { startScratchSmtp } from "#tests/support/scratch-smtp.ts";

const SIZE = { width: 360, height: 800 };
/** A question with every length and count at or near its limit. */
const LONG = {
  text: "Which of these would have helped your team most in the last incident, thinking of everyone who was on call that night?",
  choices: Array.from({ length: 8 }, (_, index) =>
    `Choice ${index + 1} ${"of a very long text ".repeat(4)}`.slice(0, 80),
  ),
  isMultiple: true,
};

/** Adds confirmed people, and returns the URLs of their pages. */
async function addMembers({ site, db }: MailSite, ...names: string[]): Promise<string[]> {
  const emails = names.map((name) => `${name}@example.com`);
  const ids = await addPeople(
    db,
    emails.map((email) => ({ email })),
  );
  // Without sign-ups, the overview shows no figures.
  await db.pool.query("update totals set users = users + $1 where slot = 0", [ids.length]);
  return ids.map((id, index) => {
    const person = { id, email_key: emails[index] ?? "" };
    const token = createToken("membership", createKeys(MAIL_SECRET), person, new Date("2100-01-01"));
    return `${site.origin}${MEMBERSHIP_PATH}/${token}`;
  });
}

async function addQuestion(page: Page, text: string, choices: string[]): Promise<void> {
  await button(page, "Add question…").click();
  await page.getByLabel("Question", { exact: true }).fill(text);
  for (const [index, choice] of choices.entries()) await page.getByLabel(`Choice ${index + 1}`).fill(choice);
  await button(page, "Add").click();
  await expect(page.getByRole("heading", { name: text })).toBeVisible();
}

test("a marketer asks, invites by the answer and exports it; a member who leaves is no longer counted", async ({
  page,
  context,
}) => {
  test.slow();
  const smtp = await startScratchSmtp();
  await withMailSite(
    async () => smtp,
    {},
    async (mailSite) => {
      const { db, site } = mailSite;
      const [ada = "", grace = "", alan = ""] = await addMembers(mailSite, "ada", "grace", "alan");
      const running = await startAdasConsole(db, { mail: configureMail(smtp.url, site.databaseUrl) });
      await page.goto(running.url);
      await page.getByRole("link", { name: "Questions" }).click();
      await addQuestion(page, TEAM_SIZE.text, TEAM_SIZE.choices);

      const member = await context.newPage();
      for (const [url, choice] of [
        [ada, "11–50"],
        [grace, "11–50"],
        [alan, "More"],
      ] as const) {
        await member.goto(url);
        await member.getByRole("group", { name: TEAM_SIZE.text }).getByRole("radio", { name: choice }).check();
        await button(member, "Save answers").click();
        await expect(member.getByText("Thank you. Your answers are saved.")).toBeFocused();
        await expect(member.getByRole("radio", { name: choice })).toBeChecked();
      }

      await open(page, "overview");
      const answered = page.getByRole("row", { name: "11–50" }).getByRole("link");
      await expect(answered).toHaveText("2");
      await answered.click();
      await expect(button(page, `${TEAM_SIZE.text} 11–50`)).toBeVisible();
      await expect(page.locator(".row-link")).toHaveText(["grace@example.com", "ada@example.com"]);

      await open(page, "messages/new?kind=invitation");
      await openFilter(page, "Answers");
      await page.getByRole("group", { name: TEAM_SIZE.text }).getByLabel("11–50").check();
      await page.keyboard.press("Escape");
      await button(page, "Review and send…").click();
      await button(page, "Invite 2 people").click();
      await expect(page.getByText("2 of 2 sent")).toBeVisible();
      await expect(page.getByText(`${TEAM_SIZE.text} 11–50`)).toBeVisible();
      expect(smtp.mails.map(({ to }) => to?.[0]?.address).sort()).toEqual(["ada@example.com", "grace@example.com"]);

      await open(page, "export");
      const downloading = page.waitForEvent("download");
      await button(page, "Export").click();
      const csv = await readFile(await (await downloading).path(), "utf8");
      expect(csv.split("\n").map((line) => line.slice(line.lastIndexOf(",") + 1))).toEqual([
        expect.stringMatching(/^"answer\d+: How big is your team\?"$/),
        '"11–50"',
        '"11–50"',
        '"More"',
        "",
      ]);
      expect(await (await context.request.get(`${ada}/data`)).json()).toMatchObject({
        "Your answers": [{ [TEAM_SIZE.text]: "11–50" }],
      });

      await member.goto(ada);
      await member.locator("summary").click();
      await button(member, "Erase everything").click();
      await open(page, "overview");
      await expect(answered).toHaveText("1");
      await running.stop();
    },
  );
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, viewport: SIZE });

  test("a member answers three questions by keyboard on a phone", async ({ page }) => {
    await withMailSite(startScratchSmtp, {}, async (mailSite) => {
      const [url = ""] = await addMembers(mailSite, "ada");
      await addQuestions(mailSite.db, TEAM_SIZE, TOOLS, LONG);
      await page.goto(url);
      await page.getByRole("radio", { name: "1–10" }).focus();
      await page.keyboard.press("ArrowDown");
      await expect(page.getByRole("radio", { name: "11–50" })).toBeChecked();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Space");
      await expect(page.getByRole("checkbox", { name: "Jira" })).toBeChecked();
      await page.keyboard.press("Enter");
      await expect(page.getByText("Thank you. Your answers are saved.")).toBeFocused();
      await expect(page.getByText("Thank you. Your answers are saved.")).toBeInViewport();
      await page.getByRole("radio", { name: "No answer" }).check();
      await button(page, "Save answers").press("Enter");
      await expect(page.getByRole("radio", { checked: true })).toHaveCount(0);
      await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(1);
    });
  });
});

test("the member's questions, and the console's, have no axe violations and fit a phone", async ({ page }) => {
  test.slow();
  await page.setViewportSize(SIZE);
  const fits = async (name: string) => {
    await expectNoViolationsLightAndDark(page, name);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(SIZE.width);
  };
  await withMailSite(startScratchSmtp, {}, async (mailSite) => {
    const { db } = mailSite;
    const [url = ""] = await addMembers(mailSite, "ada", "grace");
    const questions = await addQuestions(db, TEAM_SIZE, TOOLS, LONG);
    await page.goto(url);
    await page.getByRole("checkbox", { name: "Choice 8" }).check();
    await page.getByRole("radio", { name: "More" }).check();
    await fits("form");
    await button(page, "Save answers").click();
    await expect(page.getByText("Your answers are saved.")).toBeVisible();
    await fits("saved");
    await db.pool.query("update questions set version = 2 where id = $1", [questions[0]?.id]);
    await button(page, "Save answers").click();
    await expect(page.getByRole("alert")).toContainText("Please answer again");
    await expect(page.getByRole("alert")).toBeFocused();
    await expect(page.getByRole("alert")).toBeInViewport();
    await fits("refused");

    const running = await startAdasConsole(db, {});
    await page.goto(running.url);
    await expect(page.locator(".answers td").getByRole("link").first()).toBeVisible();
    await fits("overview");
    await open(page, "questions");
    await expect(page.getByRole("heading", { name: LONG.text })).toBeVisible();
    await fits("questions");
    await page.getByRole("button", { name: "Edit…" }).first().click();
    await fits("edit");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Retire…" }).first().click();
    await button(page, "Retire").click();
    await expect(page.getByText("Retired")).toBeVisible();
    await open(page, "people?answer=1:3");
    await openFilter(page, "Answers");
    await expect(page.getByRole("group", { name: TEAM_SIZE.text }).getByLabel("More")).toBeChecked();
    await fits("filters");
    await running.stop();
  });
});
