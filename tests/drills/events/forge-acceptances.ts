import fc from "fast-check";
import { ACCEPTED_PATH } from "#contract/paths.ts";
import { readConfig } from "#core/config/config.ts";
import type { Change } from "#tests/drills/harness/change-source.ts";
import type { Context, Drill, Outcome } from "#tests/drills/harness/drill.ts";
import { send } from "#tests/drills/harness/http.ts";
import { fingerprint, forgedAcceptances } from "#tests/support/forged-acceptances.ts";
import type { Signed } from "#tests/support/mail-providers.ts";
import { openEvents, withControls } from "./service.ts";

export const forgeAcceptances: Drill = {
  breaks: "forged, malformed and replayed reports of used invitations",
  shows: "no 5xx, and nobody's row changes",
  ...withControls(forge, [
    {
      without: "the webhook's signature",
      finds: /^rows changed/,
      changes: [["core/http/signature.ts", "timingSafeEqual(signature, expected)", "true"]],
    },
    {
      without: "the issuer",
      finds: /^rows changed/,
      changes: [["core/links/invitation-tokens.ts", "{ issuer, audience:", "{ audience:"]],
    },
    {
      without: "a response to a forged token",
      finds: /^statuses: .*500/,
      changes: [["core/links/invitation-tokens.ts", 'if (reason instanceof errors.JOSEError) return "forged";', ""]],
    },
  ]),
};

async function forge(context: Context, changes?: Change[]): Promise<Outcome> {
  const { check, size, args } = context;
  const { db, env, origin } = await openEvents(context, 100, changes);
  const { invitations } = readConfig(env);
  if (!invitations) throw new Error("Invitations aren't configured");
  const cases = Number(args[1] ?? (size === "full" ? 10_000 : 1000));
  let sent = 0;
  const post = async ({ payload, headers }: Signed) => {
    sent += 1;
    // Varies the address, because each client has a rate limit.
    const options = { method: "POST", headers, localAddress: `127.0.0.${1 + (sent % 250)}` };
    return (await send(`${origin}${ACCEPTED_PATH}`, options, payload)).status;
  };
  const forgeries = await forgedAcceptances(db, invitations, post);
  const before = await fingerprint(db);
  const sample = fc.sample(forgeries, cases);
  const statuses = new Map<number, number>();
  const sendNext = async () => {
    for (let next = sample.pop(); next; next = sample.pop()) {
      const status = await post(next);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 8 }, sendNext));
  const seen = [...statuses.keys()].toSorted().join();
  check(seen === "200,400,401,404,409,410,422", `statuses: ${seen}`);
  const [then, now] = [before, await fingerprint(db)].map((each) => JSON.stringify(each));
  check(then === now, `rows changed: from ${then} to ${now}`);
  return { acknowledged: cases, lost: 0, duplicated: 0, figures: Object.fromEntries(statuses) };
}
