import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { inviteNext } from "#core/invitations/waves.ts";
import { countMatching } from "#core/people/filter.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { fill } from "#tests/support/fill.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

describe("invite", () => {
  const invited = async () =>
    (await operator.db.selectFrom("sign_ups").select("id").where("invited_at", "is not", null).execute()).length;

  test("two concurrent waves of 500 invite the first 1,000 people to join, each once", async () => {
    await fill(operator.db, 10_000);
    const waves = await Promise.all(
      [1, 2].map(() => waitlistJson("invite", "--next", "500", "--yes") as Promise<{ id: string; invited: number }>),
    );
    expect(waves.map((wave) => wave.invited)).toEqual([500, 500]);
    expect(await invited()).toBe(1000);
    const last = await sql<{ last: string }>`
      select max(id) - (select min(id) from sign_ups) as last from sign_ups where invited_at is not null`.execute(
      operator.db,
    );
    expect(last.rows[0]?.last).toBe("999");
    const { stdout } = await waitlist("export", "--wave", waves[0]?.id ?? "");
    expect(stdout.trim().split("\n")).toHaveLength(501);
  });

  test("ten concurrent waves never invite the same person, and each has its own ID", async () => {
    await fill(operator.db, 5000);
    const waves = await Promise.all(Array.from({ length: 10 }, () => inviteNext(operator.db, OPERATOR, {}, 300)));
    expect(waves.map((wave) => wave.invited)).toEqual(Array(10).fill(300));
    expect(await invited()).toBe(3000);
    expect(new Set(waves.map((wave) => wave.id)).size).toBe(10);
    for (const { id } of waves) expect(await countMatching(operator.db, { wave: id })).toBe(300);
    expect(await waitlistJson("list", "--wave", waves[0]?.id ?? "", "--limit", "1000")).toHaveLength(300);
  });

  test("--company invites that company's people once; --dry-run invites nobody", async () => {
    for (const company of ["Acme", "ACME Inc.", "Globex"]) await operator.join(aSignUp({ company }), null);
    expect(await waitlistJson("invite", "--company", "acme", "--all", "--dry-run")).toEqual({ wouldInvite: 2 });
    expect(await invited()).toBe(0);
    expect(await waitlistJson("invite", "--company", "acme", "--all", "--yes")).toMatchObject({ invited: 2 });
    expect(await waitlist("invite", "--company", "acme", "--all", "--yes")).toMatchObject({
      code: 1,
      stdout: "No matching people left to invite.\n",
    });
  });
});
