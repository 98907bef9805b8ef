import { generateKeyPairSync } from "node:crypto";
import { promises as dns } from "node:dns";
import { afterAll, beforeEach, expect, test } from "vitest";
import { startDnsServer, type Zone } from "#tests/support/dns-server.ts";
import { runCommand } from "#tests/support/run-command.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const KEY = publicKey.export({ type: "spki", format: "der" }).toString("base64");
const DKIM = {
  DKIM_DOMAIN: "our.company",
  DKIM_SELECTOR: "one",
  DKIM_KEY: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};
const SPF = [["unrelated=1"], ["v=spf1 ip4:192.0.2.1 ~all"]];
const SERVERS = dns.getServers();
afterAll(() => dns.setServers(SERVERS));

/** DNS records, all correct unless a test changes one. */
let zone: Zone;
beforeEach(() => {
  zone = {
    "our.company": SPF,
    // A DNS string has at most 255 characters, so a longer record has several.
    "one._domainkey.our.company": [["v=DKIM1; k=rsa; p=", KEY.slice(0, 200), KEY.slice(200)]],
    "_dmarc.our.company": [["v=DMARC1; p=reject"]],
  };
});

function runCheck(settings: Record<string, string> = DKIM, ...args: string[]) {
  const env = {
    // Nothing listens here, because the command needs no database.
    DATABASE_URL: "postgres://127.0.0.1:1/unused",
    SECRET: "an operator's secret of 32 letters",
    PUBLIC_ORIGIN: "https://our.company",
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "Us <hello@our.company>",
    ...settings,
  };
  return runCommand(env, ["mail", "check", ...args]);
}

async function check(...args: Parameters<typeof runCheck>) {
  const server = await startDnsServer(zone);
  dns.setServers([server.address]);
  return runCheck(...args).finally(server.stop);
}

test("mail check succeeds when every record is right, and says what only the mail provider can tell", async () => {
  const { code, stdout, stderr } = await check();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const name of ["SPF", "DKIM", "DMARC"]) expect(stdout).toMatch(new RegExp(`^${name} +OK\\. `, "m"));
  expect(stdout).not.toContain("Publish");
  const { code: withoutKey, stdout: unsigned } = await check({});
  expect(withoutKey).toBe(0);
  expect(unsigned).toMatch(/^DKIM +Unknown\. Without DKIM_KEY, your provider must sign your mail\.$/m);
});

test("mail check prints the records that are missing, each value on one line", async () => {
  zone = {};
  const { code, stdout } = await check();
  expect(code).toBe(1);
  expect(stdout).toMatch(/^SPF +Missing\./m);
  expect(stdout).toContain(
    `
Host   one._domainkey.our.company
Value  v=DKIM1; k=rsa; p=${KEY}

Host   _dmarc.our.company
Value  v=DMARC1; p=none; rua=mailto:hello@our.company
`,
  );
});

test("mail check applies the DMARC record of a parent domain, and --json names the check that fails", async () => {
  zone["news.our.company"] = SPF;
  const settings = { ...DKIM, MAIL_FROM: "hello@news.our.company" };
  expect((await check(settings)).code).toBe(0);
  zone["_dmarc.our.company"] = [["v=DMARC1; p=reject; sp=maybe"]];
  const { code, stdout } = await check(settings, "--json");
  expect(code).toBe(1);
  const { domain, checks }: { domain: string; checks: { name: string; status: string }[] } = JSON.parse(stdout);
  expect(domain).toBe("news.our.company");
  expect(checks.map(({ name, status }) => `${name} ${status}`)).toEqual(["SPF ok", "DKIM ok", "DMARC wrong"]);
});

/** An SPF record that takes this many lookups. */
const chain = (lookups: number): Zone => ({
  ...Object.fromEntries(
    Array.from({ length: lookups }, (_, at) => [`${at}.provider.com`, [[`v=spf1 include:${at + 1}.provider.com`]]]),
  ),
  "our.company": [["v=spf1 include:0.provider.com ~all"]],
  [`${lookups - 1}.provider.com`]: [["v=spf1 ip4:192.0.2.1"]],
});

test.each([
  ["allows ten SPF lookups", /^SPF +OK\. .+\(10 of 10 DNS lookups\)$/m, () => chain(10)],
  ["rejects eleven SPF lookups", /^SPF +Wrong\. The record takes more than 10 DNS lookups/m, () => chain(11)],
  [
    "rejects an SPF record that includes itself",
    /^SPF +Wrong\. The record takes more than 10/m,
    () => ({ "our.company": [["v=spf1 include:our.company ~all"]] }),
  ],
])("mail check %s", async (_name, line, change) => {
  Object.assign(zone, change());
  const { code, stdout } = await check();
  expect(stdout).toMatch(line);
  expect(code).toBe(stdout.includes("Wrong.") ? 1 : 0);
});

test.each([
  ["a DNS server that is down", /^The DNS lookup of \S+ failed: ECONNREFUSED\. Check the network/, {}],
  ["no mail settings", /Set SMTP_URL/, { SMTP_URL: "" }],
])("mail check exits with 2 for %s, not as if records were missing", async (_name, error, settings) => {
  dns.setServers(["127.0.0.1:1"]);
  const { code, stdout, stderr } = await runCheck(settings);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(error);
});
