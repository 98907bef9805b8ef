import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { signUpSchema } from "#contract/sign-up.ts";
import type { Config } from "#core/config/config.ts";
import type { NewSignUp } from "#core/database/tables.ts";
import type { invitePerson } from "#core/invitations/waves.ts";
import type { requestLink, resendFor } from "#core/mail/queue/flag-mail.ts";
import type { holdMail } from "#core/mail/queue/hold.ts";
import type { silenceMailbox } from "#core/mail/queue/mailboxes.ts";
import type { sendLink } from "#core/mail/queue/send-link.ts";
import type { Mail } from "#core/mail/sender.ts";
import type { sendTest } from "#core/messages/preview.ts";
import type { sendDraft } from "#core/messages/send-draft.ts";
import { emailKey, type recipientOf, toAddress } from "#core/people/address.ts";
import type { personColumns } from "#core/people/person-columns.ts";
import type { importPeople } from "#core/transfer/import.ts";
import type { AppParts } from "#server/app.ts";

/** Where an address is stored or sent to. Only core/people/address.ts and the form's check make the types they take. */
interface Takes {
  form: Parameters<typeof personColumns>[0]["email"];
  row: NewSignUp["email"];
  key: NewSignUp["email_key"];
  mail: Mail["to"];
  test: Parameters<typeof sendTest>[3];
  smtp: Parameters<typeof recipientOf>[0];
  link: Parameters<typeof requestLink>[2];
  mailbox: Parameters<typeof silenceMailbox>[1];
}

test("an unchecked string is no address, nor is a key one to send to", () => {
  const text: string = "Ada@Example.com";
  const [address, key] = [toAddress(text), emailKey(text)];
  if (!address || !key) throw new Error("Not an address");
  const good: Takes[] = [
    { form: address, row: address, key, mail: address, test: address, smtp: address, link: key, mailbox: key },
  ];
  // Each of these would be a second answer to what an address is; `npm run check` fails if one compiles.
  const bad: Partial<Takes>[] = [
    // @ts-expect-error: unchecked
    { form: text },
    // @ts-expect-error: unchecked
    { row: text },
    // @ts-expect-error: unchecked
    { key: text },
    // @ts-expect-error: unchecked
    { mail: text },
    // @ts-expect-error: unchecked
    { test: text },
    // @ts-expect-error: unchecked
    { smtp: text },
    // @ts-expect-error: unchecked
    { link: text },
    // @ts-expect-error: unchecked
    { mailbox: text },
    // @ts-expect-error: a key isn't what was typed
    { mail: key },
    // @ts-expect-error: what was typed is no key
    { key: address },
  ];
  expect([...good, ...bad]).toHaveLength(11);
});

/** What needs mail. Only core/mail/switch.ts makes the type it takes, from the servers' settings or the database. */
interface NeedsMail {
  resend: Parameters<typeof resendFor>[0];
  request: Parameters<typeof requestLink>[1];
  link: Parameters<typeof sendLink>[1];
  hold: Parameters<typeof holdMail>[1];
  draft: Parameters<typeof sendDraft>[1];
  invitation: NonNullable<Parameters<typeof invitePerson>[3]>["mail"];
  import: Parameters<typeof importPeople>[3]["mail"];
  server: AppParts["mail"];
}

test("neither settings nor a guess says that mail is on", () => {
  const { PUBLIC_ORIGIN, mail, team } = {} as Config;
  const bad: Partial<NeedsMail>[] = [
    // @ts-expect-error: a guess
    { resend: true },
    // @ts-expect-error: a guess
    { request: undefined },
    // @ts-expect-error: a console has a sender without having mail
    { link: team?.parts.mail },
    // @ts-expect-error: this machine's settings, which may not be the servers'
    { draft: mail },
    // @ts-expect-error: this machine's settings
    { hold: mail },
    // @ts-expect-error: an origin
    { invitation: PUBLIC_ORIGIN },
    // @ts-expect-error: an origin
    { import: PUBLIC_ORIGIN },
    // @ts-expect-error: settings that weren't recorded
    { server: mail },
    // @ts-expect-error: made up
    { server: {} },
  ];
  expect(bad).toHaveLength(9);
});

test.each([
  ["whether mail is on", "core/mail/switch.ts", /\bas MailOn\b|"mail_switch"/],
  [
    "which state someone is in",
    "core/people/states.ts",
    /\b(confirmed|invited|rejected|line)_at"?,? "?is (not )?(null|distinct)|\bcount\((confirmed|invited|rejected|line)_at|is \$\{is \?/,
  ],
  [
    "when someone may get the next email",
    "core/mail/recipients.ts",
    /mailed_at\[\d|unsubscribed_at [+<>]|rejected_at [<>]/,
  ],
])("only one file answers %s", (_question, answer, condition) => {
  const product = globSync("{core,server,worker,cli,console}/**/*.{ts,tsx}", { exclude: ["**/migrations/**"] });
  expect(product.filter((path) => condition.test(readFileSync(path, "utf8")))).toEqual([answer]);
});

test.each(["ada@x,bob@y.com", "a;b@example.com", "ada@1.2.3.4", "ada@x.0x1", '"a b"@example.com', "ada"])(
  "%j is no address to send a test to",
  (text) => {
    expect(toAddress(text)).toBeUndefined();
  },
);

test("an address is what the form accepts, and its domain can exist", () => {
  expect(toAddress(" Ada@Example.com ")).toBe("Ada@Example.com");
  expect(signUpSchema.shape.email.safeParse("ada@xn--iñvalid.com").success).toBe(true);
  expect(toAddress("ada@xn--iñvalid.com")).toBeUndefined();
});

/** Code that compares an error's code, or asks the driver what it is. */
const DECIDES =
  /["'`/^(|](E(CONN|PIPE|HOST|NET|ADDR|AI_|TIMEDOUT|NOTFOUND)\w*|(08|2[2358]|3D|4[02]|5[3478])[0-9A-Z]{3}["'`$|)])|startsWith\("\d\d"|DatabaseError|Connection terminated/;

test("only faults.ts says whether an error is an outage, a refusal or a bug", () => {
  const files = globSync("{core,server,worker,cli,console}/**/*.ts", { exclude: ["**/*.test.ts"] });
  expect(files.filter((file) => DECIDES.test(readFileSync(file, "utf8"))).sort()).toEqual([
    // The reader of a pipe.
    "cli/terminal/write-chunks.ts",
    "core/database/faults.ts",
    // Names that DNS doesn't know.
    "core/mail/dns/lookups.ts",
    // Hides the messages of PostgreSQL.
    "core/service/log.ts",
    // A visitor's socket.
    "server/http/client-error.ts",
  ]);
});
