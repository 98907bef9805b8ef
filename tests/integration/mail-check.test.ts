import { generateKeyPairSync } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { startDnsServer, type Zone } from "#tests/support/dns-server.ts";
import { runCommand } from "#tests/support/run-command.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const KEY = publicKey.export({ type: "spki", format: "der" }).toString("base64");
const DKIM = {
  DKIM_DOMAIN: "our.company",
  DKIM_SELECTOR: "one",
  DKIM_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};
const SPF = [["unrelated=1"], ["v=spf1 include:_spf.provider.com ~all"]];

/** DNS records, all correct unless a test changes one. */
let zone: Zone & { issuers: Record<string, string[]>; authentic: string[] };
beforeEach(() => {
  zone = {
    texts: {
      "our.company": SPF,
      // A DNS string has at most 255 characters, so a longer record has several.
      "one._domainkey.our.company": [["v=DKIM1; k=rsa; p=", KEY.slice(0, 200), KEY.slice(200)]],
      "_dmarc.our.company": [["v=DMARC1; p=reject"]],
      "_mta-sts.our.company": [["v=STSv1; id=20261118"]],
      "_smtp._tls.our.company": [["v=TLSRPTv1; rua=mailto:tls@our.company"]],
    },
    issuers: { "our.company": ["letsencrypt.org"] },
    authentic: ["", "our.company", "news.our.company"],
  };
});

async function check(settings: Record<string, string> = DKIM, ...args: string[]) {
  const dns = await startDnsServer(zone);
  const env = {
    // Nothing listens here, because the command needs no database.
    DATABASE_URL: "postgres://127.0.0.1:1/unused",
    SECRET: "an operator's secret of 32 letters",
    PUBLIC_ORIGIN: "https://our.company",
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "Us <hello@our.company>",
    ...settings,
  };
  return runCommand(env, ["mail", "check", "--dns-server", dns.address, ...args]).finally(dns.stop);
}

test("mail check succeeds when every record is right, and says what it can't check", async () => {
  const { code, stdout, stderr } = await check();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const name of ["SPF", "DKIM", "DMARC", "Alignment", "MTA-STS", "TLS-RPT", "CAA", "DNSSEC"])
    expect(stdout).toMatch(new RegExp(`^${name} +OK\\. `, "m"));
  expect(stdout).not.toContain("Publish");
  expect(stdout).toContain("This command can't tell:\n- which servers your mail provider sends from");
  const { code: withoutKey, stdout: unsigned } = await check({});
  expect(withoutKey).toBe(0);
  expect(unsigned).toMatch(/^DKIM +Unknown\. Without DKIM_KEY, your provider must sign your mail\.$/m);
});

test("mail check prints the records that are missing, each value on one line", async () => {
  zone.texts = {};
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
  zone.texts["news.our.company"] = SPF;
  const settings = { ...DKIM, MAIL_FROM: "hello@news.our.company" };
  expect((await check(settings)).code).toBe(0);
  zone.texts["_dmarc.our.company"] = [["v=DMARC1; p=reject; adkim=s"]];
  const { code, stdout } = await check(settings, "--json");
  expect(code).toBe(1);
  const { domain, checks }: { domain: string; checks: { name: string; status: string }[] } = JSON.parse(stdout);
  expect(domain).toBe("news.our.company");
  const others = [
    "SPF ok",
    "DKIM ok",
    "DMARC ok",
    "Alignment wrong",
    "MTA-STS weak",
    "TLS-RPT weak",
    "CAA ok",
    "DNSSEC ok",
  ];
  expect(checks.map(({ name, status }) => `${name} ${status}`)).toEqual(others);
});

const apex = (record: string): Partial<Zone> => ({ texts: { ...zone.texts, "our.company": [[record]] } });
const without = (host: string): Partial<Zone> => ({ texts: { ...zone.texts, [host]: [] } });
const dmarc = (record: string): Partial<Zone> => ({ texts: { ...zone.texts, "_dmarc.our.company": [[record]] } });
const chain = (hosts: number): Partial<Zone> => {
  const includes = Array.from({ length: hosts }, (_, at) => [
    `${at}.provider.com`,
    [[`v=spf1 include:${at + 1}.provider.com`]],
  ]);
  const texts = {
    ...zone.texts,
    ...Object.fromEntries(includes),
    "our.company": [["v=spf1 include:0.provider.com ~all"]],
  };
  return { texts };
};

test.each([
  ["SPF takes eleven lookups", 1, "SPF", "Wrong", "TXT +v=spf1 include:YOUR-PROVIDER ~all", () => chain(10)],
  ["SPF includes itself", 1, "SPF", "Wrong", "TXT +v=spf1", () => apex("v=spf1 include:our.company ~all")],
  ["DMARC reports", 0, "DMARC", "Weak", "TXT +v=DMARC1; p=quarantine; pct=50", () => dmarc("v=DMARC1; p=none; pct=50")],
  ["MTA-STS is missing", 0, "MTA-STS", "Weak", "TXT +v=STSv1; id=1", () => without("_mta-sts.our.company")],
  ["TLS-RPT is missing", 0, "TLS-RPT", "Weak", "TXT +v=TLSRPTv1; rua=mailto:", () => without("_smtp._tls.our.company")],
  ["CAA is missing", 0, "CAA", "Weak", 'CAA +0 issue "letsencrypt.org"', () => ({ issuers: {} })],
  ["DNSSEC is off", 0, "DNSSEC", "Weak", undefined, () => ({ authentic: [""] })],
])("mail check names what a scanner would: %s", async (_name, exit, name, word, record, change) => {
  Object.assign(zone, change());
  const { code, stdout } = await check();
  const others = stdout.match(/^\S+ +(Missing|Wrong|Weak|Unknown)\./gm)?.filter((line) => !line.startsWith(name));
  expect({ code, others }).toEqual({ code: exit, others: [] });
  expect(stdout).toMatch(new RegExp(`^${name} +${word}\\.`, "m"));
  if (record) expect(stdout).toMatch(new RegExp(`^Type +${record.replace(" +", "\\nValue +")}`, "m"));
});

test("mail check allows ten lookups, and says if the DNS server can't tell whether the domain is signed", async () => {
  Object.assign(zone, chain(9), { authentic: [] });
  const { code, stdout } = await check();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^SPF +OK\./m);
  expect(stdout).toMatch(/^DNSSEC +Unknown\. This DNS server doesn't validate\. Try --dns-server 9\.9\.9\.9\.$/m);
});

test.each([
  ["a DNS server that fails", /^The DNS lookup of \S+ failed: ESERVFAIL\. Check the network/, {}, []],
  ["no mail settings", /Set SMTP_URL/, { SMTP_URL: "" }, []],
  ["a DNS server that is no IP address", /Use an IP address/, {}, ["--dns-server", "dns.example"]],
])("mail check exits with 2 for %s, not as if records were missing", async (_name, error, settings, args) => {
  const failure = Object.assign(new Error(), { code: "ESERVFAIL" });
  const resolveTxt = vi.spyOn(Resolver.prototype, "resolveTxt").mockRejectedValue(failure);
  onTestFinished(() => resolveTxt.mockRestore());
  const { code, stdout, stderr } = await check(settings, ...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(error);
});
