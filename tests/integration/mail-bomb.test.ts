import { sql } from "kysely";
import { expect, test } from "vitest";
import { useMail } from "#tests/support/mail-worker.ts";
import { runCommand } from "#tests/support/run-command.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const mail = useMail();
const VICTIM = "victim@example.org";
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
