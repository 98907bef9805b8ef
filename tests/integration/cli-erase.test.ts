import { join as joinPath } from "node:path";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createKeys } from "#core/config/keys.ts";
import { verifySearchWords } from "#core/people/verify-search.ts";
import { addressHash, erase } from "#core/retention/erase.ts";
import { release } from "#core/sign-ups/quarantine.ts";
import { readTotals, verifyTotals } from "#core/sign-ups/totals.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { SECRET, useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { runNode } from "#tests/support/run-node.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

describe("erase", () => {
  test("leaves only a keyed hash and keeps totals exact while people join", async () => {
    const people = Array.from({ length: 20 }, (_, i) =>
      aSignUp({ company: i % 2 ? "Shared" : `Solo ${i}`, newsletter: true }),
    );
    await Promise.all(people.map((person) => operator.join(person, null)));
    let isDone = false;
    const joining = Array.from({ length: 16 }, async (_, worker) => {
      for (let turn = 0; !isDone; turn += 1) {
        await operator.join(aSignUp({ company: worker % 2 ? "Shared" : `Solo ${turn % 20}` }), null);
      }
    });
    try {
      for (const { email } of people.slice(0, 8)) expect((await waitlist("erase", email, "--yes")).code).toBe(0);
      expect((await waitlist("verify")).code).toBe(0);
    } finally {
      isDone = true;
      await Promise.all(joining);
    }

    expect(await verifyTotals(operator.db)).toMatchObject({ exact: true });
    const dump = JSON.stringify(
      await Promise.all(
        (["sign_ups", "consents", "quarantine", "erasures", "companies"] as const).map((name) =>
          operator.db.selectFrom(name).selectAll().execute(),
        ),
      ),
    );
    for (const { email } of people.slice(0, 8)) expect(dump).not.toContain(email);
    for (const { email } of people.slice(8)) expect(dump).toContain(email);
  });

  test("`erasures apply` erases people whom a restored backup brought back, but not anyone who joined again", async () => {
    const [ada, bob] = [aSignUp({ company: "Acme" }), aSignUp({ company: "Acme" })];
    for (const person of [ada, bob]) await operator.join(person, null);
    const restored = await operator.db.selectFrom("sign_ups").select(["email_key", "joined_at"]).execute();
    for (const { email } of [ada, bob]) {
      await erase(operator.db, OPERATOR, email, addressHash(createKeys(SECRET), email));
    }
    const file = joinPath(operator.folder, "erasures.jsonl");
    expect((await waitlist("erasures", "save", file)).stdout).toBe("Saved 2 erasures.\n");
    const otherSecret = { DATABASE_URL: operator.url, SECRET: `${SECRET}!` };
    const refused = await runNode("cli/waitlist.ts", otherSecret, ["erasures", "apply", file]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("different SECRET") });

    // As after restoring a backup that has only an earlier erasure of Ada; then Bob joined again.
    await sql`delete from erasures where erased_at = (select max(erased_at) from erasures)`.execute(operator.db);
    await sql`update erasures set erased_at = '2020-01-01'`.execute(operator.db);
    for (const person of [ada, bob]) await operator.join(person, null);
    await sql`update sign_ups set joined_at = ${restored[0]?.joined_at} where email_key = ${ada.email}`.execute(
      operator.db,
    );

    // Saving again before applying must not lose an erasure.
    expect((await waitlist("erasures", "save", file)).stdout).toBe("Saved 2 erasures.\n");
    expect(await waitlistJson("erasures", "apply", file)).toEqual({ erased: 1 });
    const remaining = await operator.db.selectFrom("sign_ups").select("email").execute();
    expect(remaining).toEqual([{ email: bob.email }]);
    expect(await verifyTotals(operator.db)).toMatchObject({ exact: true });
    expect(await operator.db.selectFrom("erasures").selectAll().execute()).toHaveLength(2);
  });
});

describe("quarantine", () => {
  test("release adds people once and keeps the sign-up of anyone who has joined since", async () => {
    const [ada, bob] = [
      aSignUp({ website: "autofilled", company: "Acme", newsletter: true }),
      aSignUp({ website: "x" }),
    ];
    for (const person of [ada, bob]) await operator.join(person, null);
    await operator.join({ ...bob, website: "" }, null);
    const caught = (await waitlistJson("quarantine", "list")) as { id: string }[];
    expect(caught).toHaveLength(2);
    expect(await waitlistJson("quarantine", "release", ...caught.map(({ id }) => id))).toEqual({ joined: 1, known: 1 });
    expect(await verifySearchWords(operator.db)).toBe(0);
    expect(await readTotals(operator.db.pool)).toEqual({ totalUsers: 2, companiesInterested: 1 });
    const released = await operator.db.selectFrom("sign_ups").select("newsletter").execute();
    expect(released).toEqual([{ newsletter: false }, { newsletter: false }]);
    expect(await waitlistJson("quarantine", "list")).toEqual([]);
    expect((await waitlist("quarantine", "release", "1")).code).toBe(1);
  });

  test("a person released and erased concurrently is gone", async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const ada = aSignUp({ website: "autofilled" });
      await operator.join(ada, null);
      const [caught] = await operator.db.selectFrom("quarantine").select("id").execute();
      const hash = addressHash(createKeys(SECRET), ada.email);
      await Promise.all([
        release(operator.db, OPERATOR, [caught?.id ?? ""], true),
        erase(operator.db, OPERATOR, ada.email, hash),
      ]);
      expect(await operator.db.selectFrom("sign_ups").select("email").execute()).toEqual([]);
      expect(await operator.db.selectFrom("quarantine").select("email").execute()).toEqual([]);
    }
    expect(await verifyTotals(operator.db)).toMatchObject({ exact: true });
  });

  test("drop deletes entries by ID or by age", async () => {
    for (let turn = 0; turn < 3; turn += 1) await operator.join(aSignUp({ website: "x" }), null);
    const [newest] = (await waitlistJson("quarantine", "list")) as { id: string }[];
    expect(await waitlistJson("quarantine", "drop", newest?.id ?? "", "--yes")).toEqual({ dropped: 1 });
    await sql`update quarantine set caught_at = now() - interval '31 days' where id = (select min(id) from quarantine)`.execute(
      operator.db,
    );
    expect(await waitlistJson("quarantine", "drop", "--older-than", "30", "--yes")).toEqual({ dropped: 1 });
    expect(await waitlistJson("quarantine", "list")).toHaveLength(1);
  });
});
