import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { confirmAddress, setNewsletter } from "#core/members/member.ts";
import { readTotals, verifyTotals } from "#core/people/totals.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";
import { kinds, useTwoServers } from "#tests/support/two-servers.ts";

const { context, join, joinElsewhere } = useTwoServers();

const newKey = () => randomBytes(16).toString("hex");
const rows = () => context.db.selectFrom("sign_ups").selectAll().execute();

describe("a retry with the same idempotency key", () => {
  test("gets the first outcome again and is counted once", async () => {
    const [ada, key] = [aSignUp(), newKey()];
    expect(await kinds([join(ada, key)])).toEqual(["joined"]);
    expect(await kinds([join(ada, key), joinElsewhere(ada, key)])).toEqual(["joined", "joined"]);
    expect(await kinds([join(ada, newKey()), join(ada, null)])).toEqual(["already-joined", "already-joined"]);
    expect(await readTotals(context.db.pool)).toMatchObject({ totalUsers: 1 });
  });

  test("gets the same outcome when both requests arrive together, at one server or two", async () => {
    for (let round = 0; round < 50; round += 1) {
      const [ada, key] = [aSignUp(), newKey()];
      const requests = [join(ada, key), joinElsewhere(ada, key), join(ada, key), joinElsewhere(ada, key)];
      expect(await kinds(requests)).toEqual(["joined", "joined", "joined", "joined"]);
    }
    expect(await verifyTotals(context.db)).toMatchObject({ exact: true, counted: { totalUsers: 50 } });
  });

  test("counts as a duplicate for any other address", async () => {
    const [ada, bob, key] = [aSignUp(), aSignUp(), newKey()];
    await join(bob, null);
    expect(await kinds([join(ada, key), join(bob, key)])).toEqual(["joined", "already-joined"]);
  });

  test("counts as a duplicate after 24 hours", async () => {
    const [ada, key] = [aSignUp(), newKey()];
    const setAge = (hours: number) =>
      context.db.pool.query(`update sign_ups set joined_at = now() - interval '${hours} hours'`);
    await join(ada, key);
    await setAge(23.9);
    expect(await kinds([join(ada, key)])).toEqual(["joined"]);
    await setAge(24.1);
    expect(await kinds([join(ada, key)])).toEqual(["already-joined"]);
  });
});

describe("an idempotency key with other content", () => {
  const ada = () => aSignUp({ company: "Acme, Inc.", newsletter: true });
  const others = { firstName: "Grace", lastName: "Hopper", company: "Acme", newsletter: false };

  test.each(Object.entries(others))("is refused if %s differs", async (field, value) => {
    const [person, key] = [ada(), newKey()];
    const changed = { ...person, [field]: value };
    expect(await kinds([join(person, key), join(changed, key)])).toEqual(["joined", "key-reused"]);
    expect(await kinds([joinElsewhere(changed, key), join(person, key)])).toEqual(["key-reused", "joined"]);
    expect(await rows()).toMatchObject([{ first_name: "Ada", company: "Acme, Inc.", newsletter: true }]);
  });

  test("is not assumed for a retry after the member unsubscribed, and never tells whether they confirmed", async () => {
    const [person, key] = [ada(), newKey()];
    await join(person, key);
    const [member] = await rows();
    await setNewsletter(context.db, null, member?.id ?? "", false);
    expect(await kinds([join(person, key)])).toEqual(["joined"]);
    const others = [person, { ...person, firstName: "Grace" }].map((each) => () => join(each, key));
    const responses = () => kinds(others.map((each) => each()));
    expect(await responses()).toEqual(["joined", "key-reused"]);
    await confirmAddress(context.db, member?.id ?? "");
    expect(await responses()).toEqual(["joined", "key-reused"]);
  });
});
