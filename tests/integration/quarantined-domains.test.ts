import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { previewPurge, purge } from "#core/retention/purge.ts";
import { quarantineDomain, readQuarantinedDomains, stopQuarantining } from "#core/sign-ups/quarantined-domains.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useOperator } from "#tests/support/cli.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterAll(() => {
  vi.useRealTimers();
});

let joined = 0;
const join = async (domain: string) => (await operator.join(aSignUp({ email: `x${++joined}@${domain}` }), null)).kind;

/** Lets the cached rules expire, and joins until they have been read again. */
async function untilCaught(domain: string, kind: "joined" | "quarantined"): Promise<void> {
  vi.advanceTimersByTime(5001);
  await vi.waitFor(async () => expect(await join(domain)).toBe(kind), { timeout: 5000 });
}

test("new sign-ups of a domain go to quarantine and look like a success, until the rule is removed or has expired", async () => {
  expect(await join("flood.test")).toBe("joined");
  expect(await quarantineDomain(operator.db, OPERATOR, " @FLOOD.test", 7)).toBe(true);
  await untilCaught("flood.test", "quarantined");
  expect(await join("sub.flood.test")).toBe("joined");
  expect(await join("bücher.test")).toBe("joined");
  const caught = await operator.db.selectFrom("quarantine").select(["email_key", "website"]).execute();
  expect(caught).toEqual([{ email_key: expect.stringContaining("@flood.test"), website: "" }]);

  await stopQuarantining(operator.db, OPERATOR, "flood.test");
  await untilCaught("flood.test", "joined");

  await quarantineDomain(operator.db, OPERATOR, "bücher.test", 30);
  await untilCaught("BÜCHER.test", "quarantined");
  await operator.db.pool.query("update quarantined_domains set valid_until = now() - interval '1 second'");
  await untilCaught("bücher.test", "joined");
  expect(await readQuarantinedDomains(operator.db)).toEqual([]);
  const { asOf } = await previewPurge(operator.db, {});
  await purge(operator.db, OPERATOR, {}, asOf);
  expect(await operator.db.selectFrom("quarantined_domains").select("domain").execute()).toEqual([]);
});

test("a domain that can't exist is refused", async () => {
  expect(await quarantineDomain(operator.db, OPERATOR, "127.0.0.1", 7)).toBe(false);
});

test("a sign-up doesn't wait while the rules can't be read, and the last ones hold", async () => {
  await quarantineDomain(operator.db, OPERATOR, "flood.test", 7);
  await untilCaught("flood.test", "quarantined");
  const client = await operator.db.pool.connect();
  onTestFinished(async () => {
    await client.query("rollback");
    client.release();
  });
  await client.query("begin; lock table quarantined_domains");
  vi.advanceTimersByTime(5001);
  expect(await join("flood.test")).toBe("quarantined");
  expect(await join("else.test")).toBe("joined");
});
