import { expect, test } from "vitest";
import { useOperator, waitlist, waitlistJson } from "#tests/support/cli.ts";
import { aSignUp } from "#tests/support/sign-ups.ts";

const operator = useOperator();

test("unsubscribe withdraws consent once, and says what it did", async () => {
  const ada = aSignUp({ newsletter: true });
  await operator.join(ada, null);
  expect(await waitlist("unsubscribe", ada.email.toUpperCase())).toMatchObject({
    code: 0,
    stdout: `Unsubscribed ${ada.email} from the newsletter.\n`,
  });
  expect(await waitlist("unsubscribe", ada.email)).toMatchObject({
    code: 0,
    stdout: `${ada.email} isn't subscribed to the newsletter. Nothing changed.\n`,
  });
  expect(await waitlistJson("unsubscribe", ada.email)).toEqual({ unsubscribed: false });
  expect(await waitlistJson("show", ada.email)).toMatchObject({
    signUp: { newsletter: false },
    consents: [{ given: true }, { given: false }],
  });
  expect((await waitlist("verify")).code).toBe(0);
});

test("unsubscribe exits with 1 for an unknown address", async () => {
  expect(await waitlist("unsubscribe", "nobody@example.com")).toMatchObject({
    code: 1,
    stdout: "nobody@example.com isn't on the list.\n",
  });
});
