import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { checkAlignment, checkDkim, checkDmarc, checkSpf } from "./dns-records.ts";

const DOMAIN = "our.company";
const PROVIDED = "v=spf1 include:_spf.provider.com ~all";

test.each([
  [[], "missing", "v=spf1 include:YOUR-PROVIDER ~all"],
  [["v=spf10 include:x.example -all", "spf"], "missing", "v=spf1 include:YOUR-PROVIDER ~all"],
  [[PROVIDED], "ok", undefined],
  [["v=spf1 redirect=_spf.provider.com"], "ok", undefined],
  [["V=SPF1 ip4:192.0.2.1 -ALL"], "ok", undefined],
  [["v=spf1 include:_spf.provider.com"], "wrong", PROVIDED],
  [["v=spf1 include:_spf.provider.com +all"], "wrong", PROVIDED],
  [["v=spf1 include:_spf.provider.com ?all"], "wrong", PROVIDED],
  [["v=spf1 -all"], "wrong", "v=spf1 include:YOUR-PROVIDER ~all"],
  [[PROVIDED, "v=spf1 mx -all"], "wrong", "v=spf1 include:_spf.provider.com mx ~all"],
])("judges the SPF records %j as %s", (texts, status, value) => {
  const check = checkSpf(DOMAIN, texts);
  expect([check.status, check.record?.value]).toEqual([status, value]);
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
  ["a key in testing mode", [`v=DKIM1; t=s:y; p=${encoded(own)}`], "wrong"],
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
  expect(checkDmarc("hello@our.company", DOMAIN, { domain, records }).status).toBe(status);
});

test.each([
  ["our.company", "v=DMARC1; p=none", "ok"],
  ["mail.our.company", "v=DMARC1; p=none", "ok"],
  ["mail.our.company", "v=DMARC1; p=none; adkim=s", "wrong"],
  ["provider.com", "v=DMARC1; p=none", "wrong"],
  ["notour.company", "v=DMARC1; p=none", "wrong"],
])("judges a signature for %s under %s as %s", (domainName, record, status) => {
  const dmarc = { domain: DOMAIN, records: [record] };
  expect(checkAlignment(DOMAIN, { ...dkim, domainName }, dmarc).status).toBe(status);
});

test("accepts a signature of a sibling domain under the same DMARC record", () => {
  const dmarc = { domain: DOMAIN, records: ["v=DMARC1; p=none"] };
  expect(checkAlignment("news.our.company", { ...dkim, domainName: "mail.our.company" }, dmarc).status).toBe("ok");
});
