import { expect, test } from "vitest";
import { uninviteWave } from "#core/invitations/uninvite.ts";
import { inviteNext } from "#core/invitations/waves.ts";
import { OPERATOR } from "#tests/support/an-operator.ts";
import { useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { fill } from "#tests/support/fill.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

const invited = async () =>
  (await operator.db.selectFrom("sign_ups").select("email").where("invited_at", "is not", null).execute()).map(
    ({ email }) => email,
  );

test("uninvite takes one person's invitation back, and the next wave may invite them again", async () => {
  const [ada, bob] = [aSignUp(), aSignUp()];
  for (const person of [ada, bob]) await operator.join(person, null);
  await inviteNext(operator.db, OPERATOR, {}, 2);
  const dry = await waitlist("uninvite", ada.email, "--dry-run");
  expect(dry).toMatchObject({
    code: 0,
    stdout: `Dry run: would take back the invitation of ${ada.email}.\nAnyone who was already told still thinks they are invited.\n`,
  });
  expect(await invited()).toHaveLength(2);
  expect(await waitlist("uninvite", ada.email.toUpperCase(), "--yes")).toMatchObject({
    code: 0,
    stdout: "Took back 1 invitation. Anyone who was already told still thinks they are invited.\n",
  });
  expect(await invited()).toEqual([bob.email]);
  expect(await waitlistJson("show", ada.email)).toMatchObject({ signUp: { invited_at: null, wave_id: null } });
  expect(await waitlist("uninvite", ada.email, "--yes")).toMatchObject({
    code: 1,
    stdout: `${ada.email} isn't invited.\n`,
  });
  expect(await waitlistJson("invite", "--next", "5", "--yes")).toMatchObject({ invited: 1 });
});

test("uninvite --wave takes back that wave only", async () => {
  await fill(operator.db, 5000);
  const [first, second, third] = [
    await inviteNext(operator.db, OPERATOR, {}, 2500),
    await inviteNext(operator.db, OPERATOR, {}, 10),
    await inviteNext(operator.db, OPERATOR, {}, 10),
  ];
  expect(await waitlistJson("uninvite", "--wave", first.id, "--dry-run")).toEqual({ wouldUninvite: 2500 });
  expect(await invited()).toHaveLength(2520);
  expect(await waitlistJson("uninvite", "--wave", first.id, "--yes")).toEqual({ uninvited: 2500 });
  expect(await waitlistJson("uninvite", "--wave", second.id, "--yes")).toEqual({ uninvited: 10 });
  expect(await waitlistJson("status")).toMatchObject({ invited: 10, waves: [{ id: third.id, people: 10 }] });
  expect(await waitlist("uninvite", "--wave", first.id, "--yes")).toMatchObject({
    code: 1,
    stdout: `Nobody is in wave ${first.id}.\n`,
  });
});

test("a wave taken back twice at the same time is counted once", async () => {
  await fill(operator.db, 3000);
  const wave = await inviteNext(operator.db, OPERATOR, {}, 3000);
  const counts = await Promise.all([1, 2].map(() => uninviteWave(operator.db, OPERATOR, wave.id)));
  expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(3000);
  expect(await invited()).toEqual([]);
});

test("uninvite needs either an address or a wave, and a confirmation", async () => {
  const ada = aSignUp();
  await operator.join(ada, null);
  await inviteNext(operator.db, OPERATOR, {}, 1);
  for (const args of [[], [ada.email, "--wave", "1"]]) {
    expect(await waitlist("uninvite", ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Choose an email address or --wave 12, not both."),
    });
  }
  expect(await waitlist("uninvite", ada.email)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Add --yes"),
  });
  expect(await invited()).toEqual([ada.email]);
  expect((await waitlist("uninvite", "nobody@example.com", "--yes")).code).toBe(1);
});
