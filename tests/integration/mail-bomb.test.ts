import { sql } from "kysely";
import { expect, test } from "vitest";
import { useMail } from "#tests/support/mail-worker.ts";
import { runCommand } from "#tests/support/run-command.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const mail = useMail();
const VICTIM = "victim@example.org";
/** NFC turns U+037E, the Greek question mark, into a semicolon. */
const SEPARATOR = "\u037E";

test("sixty sign-ups with a separator before someone's address send them no mail", async () => {
  await mail.startWorker({ MAIL_PER_MINUTE: "100000" });
  const addresses = Array.from({ length: 60 }, (_, number) => `n${number}${SEPARATOR}${VICTIM}`);
  const joining = addresses.map((email) => mail.join(aSignUp({ email })));
  expect(new Set((await Promise.all(joining)).map(({ statusCode }) => statusCode))).toEqual(new Set([400]));
  await mail.join(aSignUp({ email: "last@example.org" }));
  await mail.arrived(1);
  expect(mail.smtp.recipients).toEqual(["last@example.org"]);
});

test("an address with a separator that is on the list already gets its mail as one address, and verify names it", async () => {
  await mail.join(aSignUp({ email: "n0@example.org" }));
  await sql`update sign_ups set email = ${`n0;${VICTIM}`}, email_key = ${`n0;${VICTIM}`}`.execute(mail.db);
  const { id } = await mail.row();
  await mail.startWorker();
  await mail.arrived(1);
  expect(mail.smtp.recipients).toEqual([`"n0;victim"@example.org`]);
  await mail.join(aSignUp({ email: "ada@bücher.example" }));
  const { code, stdout } = await runCommand({ DATABASE_URL: mail.url }, ["verify"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^People whose address the form refuses today +0 +1 +WRONG$/m);
  expect(stdout).toContain(`\nIDs of refused addresses: ${id}\n`);
  expect(stdout).not.toContain(VICTIM);
});
