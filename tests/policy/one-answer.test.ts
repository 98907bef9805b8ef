import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Address, signUpSchema } from "#contract/sign-up.ts";
import type { Config } from "#core/config/config.ts";
import type { EmailKey, NewSignUp } from "#core/database/tables.ts";
import type { invitePerson } from "#core/invitations/waves.ts";
import type { requestLink, resendFor } from "#core/mail/queue/flag-mail.ts";
import type { silenceMailbox } from "#core/mail/queue/mailboxes.ts";
import type { sendLink } from "#core/mail/queue/send-link.ts";
import type { Mail } from "#core/mail/sender.ts";
import type { sendTest } from "#core/messages/preview.ts";
import type { sendDraft } from "#core/messages/send-draft.ts";
import { type recipientOf, toAddress } from "#core/people/address.ts";
import type { personColumns } from "#core/people/person-columns.ts";
import type { importPeople } from "#core/transfer/import.ts";
import type { AppParts } from "#server/app.ts";

/** The fields that take a value of this type. */
type Taking<Fields, Value> = { [Name in keyof Fields]: Value extends Fields[Name] ? Name : never }[keyof Fields];

/** Fields for addresses and their keys, whose types only core/people/address.ts and the form's check produce. */
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
  // `npm run check` fails if a field takes another type, which would be a second definition of an address.
  const text: Record<Taking<Takes, string>, true> = {};
  const address: Record<Taking<Takes, Address>, true> = { form: true, row: true, mail: true, test: true, smtp: true };
  const key: Record<Taking<Takes, EmailKey>, true> = { key: true, link: true, mailbox: true };
  expect(Object.keys({ ...text, ...address, ...key })).toHaveLength(8);
});

/** Code that needs mail to be on. Only core/mail/switch.ts creates a MailOn, from server settings or the database. */
interface NeedsMail {
  resend: Parameters<typeof resendFor>[0];
  request: Parameters<typeof requestLink>[1];
  link: Parameters<typeof sendLink>[1];
  draft: Parameters<typeof sendDraft>[1];
  invitation: NonNullable<Parameters<typeof invitePerson>[3]>["mail"];
  import: Parameters<typeof importPeople>[3]["mail"];
  server: AppParts["mail"];
}

test("neither settings nor a guess says that mail is on", () => {
  /** This machine's settings, which may differ from the servers'. */
  type Setting = Config["mail" | "PUBLIC_ORIGIN"] | NonNullable<Config["team"]>["parts"]["mail"];
  const guessed: Record<Taking<NeedsMail, NonNullable<Setting> | true | Record<never, never>>, true> = {};
  const leftOut: undefined extends NeedsMail["request"] ? true : false = false;
  expect([guessed, leftOut]).toEqual([{}, false]);
});

test.each([
  ["whether mail is on", "core/mail/switch.ts", /\bas MailOn\b|"mail_switch"/],
  [
    "which state someone is in",
    "core/people/states.ts",
    /\b(confirmed|invited|suppressed|line)_at"?,? "?is (not )?(null|distinct)|\bcount\((confirmed|invited|suppressed|line)_at|is \$\{is \?/,
  ],
  [
    "when someone may get the next email",
    "core/mail/recipients.ts",
    /mailed_at\[\d|unsubscribed_at [+<>]|suppressed_at [<>]/,
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

/** Matches code that inspects an error's code, class or message. */
const DECIDES =
  /["'`/^(|](E(CONN|PIPE|HOST|NET|ADDR|AI_|TIMEDOUT|NOTFOUND)\w*|(08|2[2358]|3D|4[02]|5[3478])[0-9A-Z]{3}["'`$|)])|startsWith\("\d\d"|DatabaseError|Connection terminated/;

test("only faults.ts says whether an error is an outage, a refusal or a bug", () => {
  const files = globSync("{core,server,worker,cli,console}/**/*.ts", { exclude: ["**/*.test.ts"] });
  expect(files.filter((file) => DECIDES.test(readFileSync(file, "utf8"))).sort()).toEqual([
    // A pipe's reader may have closed it.
    "cli/terminal/write-chunks.ts",
    "core/database/faults.ts",
    // A visitor's socket may be gone.
    "core/http/client-error.ts",
    // A name may be unknown to DNS.
    "core/mail/dns/check-dns.ts",
    // Hides PostgreSQL's messages.
    "core/service/log.ts",
  ]);
});
