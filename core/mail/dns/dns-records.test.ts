import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { checkDkim, checkDmarc, checkSpf } from "./dns-records.ts";

const DOMAIN = "our.company";
const PROVIDED = "v=spf1 include:_spf.provider.com ~all";

test.each([
  [[], "missing"],
  [["v=spf10 include:x.example -all", "spf"], "missing"],
  [[PROVIDED], "ok"],
  [["v=spf1 redirect=_spf.provider.com"], "ok"],
  [["v=spf1 include:_spf.provider.com"], "wrong"],
  [["v=spf1 include:_spf.provider.com +all"], "wrong"],
  [["v=spf1 -all"], "wrong"],
  [[PROVIDED, "v=spf1 mx -all"], "wrong"],
])("judges the SPF records %j as %s", (texts, status) => {
  expect(checkSpf(DOMAIN, texts).status).toBe(status);
});

const own = generateKeyPairSync("rsa", { modulusLength: 2048 });
const other = generateKeyPairSync("rsa", { modulusLength: 1024 });
const encoded = (key: typeof own, type: "spki" | "pkcs1" = "spki") =>
  key.publicKey.export({ type, format: "der" }).toString("base64");
const dkim = {
  domainName: DOMAIN,
  keySelector: "one",
  privateKey: own.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};

test.each([
  ["no record", [], "missing"],
  ["a record without a key", ["v=DKIM1"], "missing"],
  ["the key", [`v=DKIM1; k=rsa; p=${encoded(own)}`], "ok"],
  ["the key with white space in it", [`v=DKIM1;p=${encoded(own).replace(/.{64}/g, "$& ")};`], "ok"],
  ["the key as PKCS #1", [`p=${encoded(own, "pkcs1")}`], "ok"],
  ["another key", [`v=DKIM1; k=rsa; p=${encoded(other)}`], "wrong"],
  ["a truncated key", [`v=DKIM1; k=rsa; p=${encoded(own).slice(0, 255)}`], "wrong"],
  ["a revoked key", ["v=DKIM1; p="], "wrong"],
  ["two keys", [`p=${encoded(own)}`, `p=${encoded(other)}`], "wrong"],
])("judges %s in DKIM", (_name, texts, status) => {
  const check = checkDkim(dkim, texts);
  expect(check.status).toBe(status);
  if (status === "ok") return;
  expect(check.record).toMatchObject({
    host: "one._domainkey.our.company",
    value: `v=DKIM1; k=rsa; p=${encoded(own)}`,
  });
});

test.each([
  [DOMAIN, [], "missing"],
  [DOMAIN, ["v=DMARC1; p=none"], "weak"],
  [DOMAIN, ["v=DMARC1;p=Quarantine;sp=maybe"], "ok"],
  [DOMAIN, ["v=DMARC1; rua=mailto:x@our.company"], "wrong"],
  [DOMAIN, ["v=DMARC1; p=none", "v=DMARC1; p=reject"], "wrong"],
  ["company", ["v=DMARC1; p=none; sp=maybe"], "wrong"],
])("judges the DMARC records at %s, %j, as %s", (domain, records, status) => {
  expect(checkDmarc("hello@our.company", { domain, records }).status).toBe(status);
});

test.each([
  ["hello@our.company", "our.company", "ok"],
  ["hello@news.our.company", "mail.our.company", "ok"],
  ["hello@our.company", "provider.com", "wrong"],
  ["hello@our.company", "notour.company", "wrong"],
])("judges mail from %s signed for %s as %s", (address, signer, status) => {
  expect(checkDmarc(address, { domain: DOMAIN, records: ["v=DMARC1; p=reject"] }, signer).status).toBe(status);
});
