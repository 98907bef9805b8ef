import { generateKeyPairSync } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { runCommand } from "#tests/support/run-command.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const KEY = publicKey.export({ type: "spki", format: "der" }).toString("base64");
const DKIM = {
  DKIM_DOMAIN: "our.company",
  DKIM_SELECTOR: "one",
  DKIM_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};
const SPF = [["unrelated=1"], ["v=spf1 include:_spf.provider.com ~all"]];

/** TXT records by host. Other hosts don't exist. */
let records: Record<string, string[][]>;
const resolveTxt = vi.spyOn(Resolver.prototype, "resolveTxt");
beforeEach(() => {
  records = {
    "our.company": SPF,
    // A DNS string has at most 255 characters, so a longer record has several.
    "one._domainkey.our.company": [["v=DKIM1; k=rsa; p=", KEY.slice(0, 200), KEY.slice(200)]],
    "_dmarc.our.company": [["v=DMARC1; p=reject"]],
  };
  resolveTxt.mockImplementation(async (host) => {
    const texts = records[host];
    if (!texts) throw Object.assign(new Error(), { code: "ENOTFOUND" });
    return texts;
  });
});

const check = (settings: Record<string, string> = DKIM, ...args: string[]) =>
  runCommand(
    {
      // Nothing listens here, because the command needs no database.
      DATABASE_URL: "postgres://127.0.0.1:1/unused",
      SECRET: "an operator's secret of 32 letters",
      PUBLIC_ORIGIN: "https://our.company",
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_FROM: "Us <hello@our.company>",
      ...settings,
    },
    ["mail", "check", ...args],
  );

test("mail check succeeds when every record is right, and says what it can't check", async () => {
  const { code, stdout, stderr } = await check();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^SPF +OK\. v=spf1 include:_spf\.provider\.com ~all$/m);
  expect(stdout).toMatch(/^DKIM +OK\. /m);
  expect(stdout).toMatch(/^DMARC +OK\. v=DMARC1; p=reject/m);
  expect(stdout).toMatch(/^Alignment +OK\. /m);
  expect(stdout).not.toContain("Publish");
  expect(stdout).toContain("This command can't tell:\n- which servers your mail provider sends from");
  const { code: withoutKey, stdout: unsigned } = await check({});
  expect(withoutKey).toBe(0);
  expect(unsigned).toMatch(/^DKIM +Unknown\. Without DKIM_KEY, your provider must sign your mail\.$/m);
});

test("mail check prints the records that are missing, each value on one line", async () => {
  records = {};
  const { code, stdout } = await check();
  expect(code).toBe(1);
  expect(stdout).toMatch(/^SPF +Missing\./m);
  expect(stdout).toContain(
    `
Host   one._domainkey.our.company
Type   TXT
Value  v=DKIM1; k=rsa; p=${KEY}

Host   _dmarc.our.company
Type   TXT
Value  v=DMARC1; p=none; rua=mailto:hello@our.company
`,
  );
});

test("mail check applies the DMARC record of a parent domain, and --json names the check that fails", async () => {
  records["news.our.company"] = SPF;
  const settings = { ...DKIM, MAIL_FROM: "hello@news.our.company" };
  expect((await check(settings)).code).toBe(0);
  records["_dmarc.our.company"] = [["v=DMARC1; p=reject; adkim=s"]];
  const { code, stdout } = await check(settings, "--json");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    domain: "news.our.company",
    checks: [
      { name: "SPF", status: "ok" },
      { name: "DKIM", status: "ok" },
      { name: "DMARC", status: "ok" },
      { name: "Alignment", status: "wrong", detail: expect.stringContaining("our.company") },
    ],
  });
});

test.each([
  ["a DNS server that fails", /^The DNS lookup of \S+ failed: ESERVFAIL\. Check the network/, {}, []],
  ["no mail settings", /Set SMTP_URL/, { SMTP_URL: "" }, []],
  ["a DNS server that is no IP address", /Use an IP address/, {}, ["--dns-server", "dns.example"]],
])("mail check exits with 2 for %s, not as if records were missing", async (_name, error, settings, args) => {
  resolveTxt.mockRejectedValue(Object.assign(new Error(), { code: "ESERVFAIL" }));
  const { code, stdout, stderr } = await check(settings, ...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(error);
});
