import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type DnsServer, startDnsServer } from "#tests/support/dns-server.ts";
import { runNode } from "#tests/support/run-node.ts";

// Every command starts a process.
vi.setConfig({ testTimeout: 30_000 });

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const KEY = publicKey.export({ type: "spki", format: "der" }).toString("base64");
const DKIM = {
  DKIM_DOMAIN: "our.company",
  DKIM_SELECTOR: "one",
  DKIM_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};
const RECORDS = {
  "our.company": ["unrelated=1", "v=spf1 include:_spf.provider.com ~all"],
  // Longer than the 255 characters of one string.
  "one._domainkey.our.company": [["v=DKIM1; k=rsa; p=", KEY.slice(0, 200), KEY.slice(200)]],
  "_dmarc.our.company": ["v=DMARC1; p=reject"],
};
let dns: DnsServer;

beforeAll(async () => {
  dns = await startDnsServer();
});
beforeEach(() => {
  dns.texts = { ...RECORDS };
  dns.isBroken = false;
});
afterAll(() => dns.stop());

const check = (settings: Record<string, string> = DKIM, ...args: string[]) =>
  runNode(
    "cli/waitlist.ts",
    {
      // Nothing listens there: the command needs no database.
      DATABASE_URL: "postgres://127.0.0.1:1/unused",
      SECRET: "an operator's secret of 32 letters",
      PUBLIC_ORIGIN: "https://our.company",
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_FROM: "Us <hello@our.company>",
      ...settings,
    },
    ["mail", "check", "--dns-server", dns.address, ...args],
  );

test("mail check succeeds when every record is right, and says what it can't tell", async () => {
  const { code, stdout, stderr } = await check();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^SPF +OK\. v=spf1 include:_spf\.provider\.com ~all$/m);
  expect(stdout).toMatch(/^DKIM +OK\. /m);
  expect(stdout).toMatch(/^DMARC +OK\. v=DMARC1; p=reject/m);
  expect(stdout).toMatch(/^Alignment +OK\. /m);
  expect(stdout).not.toContain("Publish");
  expect(stdout).toContain("This command can't tell:\n- which servers your mail provider sends from");
});

test("mail check prints the records that are missing, each value on one line", async () => {
  dns.texts = {};
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

test("mail check --json names the check that fails and its record", async () => {
  dns.texts["our.company"] = ["v=spf1 include:a.example ~all", "v=spf1 include:b.example -all"];
  const { code, stdout } = await check(DKIM, "--json");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    domain: "our.company",
    checks: [
      {
        name: "SPF",
        status: "wrong",
        record: { host: "our.company", type: "TXT", value: "v=spf1 include:a.example include:b.example ~all" },
      },
      { name: "DKIM", status: "ok" },
      { name: "DMARC", status: "ok" },
      { name: "Alignment", status: "ok" },
    ],
    unchecked: [expect.any(String), expect.any(String), expect.any(String)],
  });
});

test("mail check applies the DMARC record of a parent domain", async () => {
  dns.texts["news.our.company"] = RECORDS["our.company"];
  const settings = { ...DKIM, MAIL_FROM: "hello@news.our.company" };
  expect((await check(settings)).code).toBe(0);
  dns.texts["_dmarc.our.company"] = ["v=DMARC1; p=reject; adkim=s"];
  const strict = await check(settings);
  expect(strict.code).toBe(1);
  expect(strict.stdout).toMatch(/^Alignment +Wrong\. .*our\.company/m);
});

test("mail check leaves DKIM to the provider if there is no DKIM_KEY", async () => {
  const { code, stdout } = await check({});
  expect(code).toBe(0);
  expect(stdout).toMatch(/^DKIM +Unknown\. Without DKIM_KEY, your provider must sign your mail\.$/m);
});

test("mail check reports a DNS server that fails as an error and not as missing records", async () => {
  dns.isBroken = true;
  const { code, stdout, stderr } = await check();
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^DNS doesn't respond for \S+: ESERVFAIL\. Check the network/);
});

test("mail check needs the mail settings and a DNS server's IP address", async () => {
  const noMail = await check({ SMTP_URL: "" });
  expect(noMail).toMatchObject({ code: 2, stderr: expect.stringContaining("Set SMTP_URL") });
  const noAddress = await check({}, "--dns-server", "dns.example");
  expect(noAddress).toMatchObject({ code: 2, stderr: expect.stringContaining("Use an IP address") });
});
