import fc from "fast-check";
import type { Change } from "#tests/drills/harness/change-source.ts";
import type { Context, Drill, Outcome } from "#tests/drills/harness/drill.ts";
import * as providers from "#tests/support/mail-providers.ts";
import { openEvents, withControls } from "./service.ts";

const text = fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), fc.constantFrom("", "\0", "\ud800", "5.1.1"));
const anyValue = fc.oneof(text, fc.jsonValue(), fc.constantFrom(null, [], {}, 1e308));

/** Most events are signed correctly, so that they pass the signature check; five in six have one value replaced. */
export const fuzzEvents: Drill = {
  breaks: "malformed and forged events from mail providers",
  shows: "no 5xx, and nobody suppressed who wasn't mailed or whom only forged events name",
  ...withControls(fuzz, [
    {
      without: "the rule that an event is about a mail of the last 30 days",
      finds: /^\d+ were suppressed/,
      changes: [["core/mail/suppression/reports.ts", "tried_at > now() - interval '30 days' and ", ""]],
    },
    {
      without: "a webhook's signature",
      finds: /^\d+ were suppressed/,
      changes: [["core/http/signature.ts", "timingSafeEqual(signature, expected)", "true"]],
    },
    {
      without: "a response to invalid JSON",
      finds: /^statuses: .*500/,
      changes: [["core/mail/events/event.ts", "} catch {", "} catch (reason) {\n    throw reason;"]],
    },
  ]),
};

/** People 1–150 were mailed recently, 151–200 over 30 days ago, others never. Only forged events name 101–150. */
async function fuzz(context: Context, changes?: Change[]): Promise<Outcome> {
  const { check, size, args } = context;
  const { db, sns, post } = await openEvents(context, 250, changes);
  const cases = Number(args[1] ?? (size === "full" ? 100_000 : 2000));
  await db.pool.query(`
    insert into deliveries (message_id, sign_up_id, state, tried_at)
    select 2, id, 'sent', now() - interval '31 days' * (id > 150)::integer from sign_ups where id <= 200`);
  // Pretends that 10 million people were mailed, because a source may suppress only a tenth of them.
  await db.pool.query("insert into mail_minutes (minute, mails, people) values (now(), 0, 10000000)");
  const emails = (await db.selectFrom("sign_ups").select("email").orderBy("id").execute()).map(({ email }) => email);
  const victims = emails.splice(100, 50);
  const foreignSns = providers.createSns();
  const secret = `whsec_${Buffer.alloc(24, "b").toString("base64")}`;
  const signers: Record<string, (body: object, isForged: boolean) => providers.Signed> = {
    ses: (body, isForged) => (isForged ? foreignSns : sns).sign(body),
    postmark: (body, isForged) => providers.signPostmark(body, isForged ? secret : undefined),
    resend: (body, isForged) => providers.signWebhook("svix", body, isForged ? { secret } : {}),
    generic: (body, isForged) => providers.signWebhook("webhook", body, isForged ? { secret } : {}),
  };
  const bodies = (address: string): [string, object][] => [
    ["ses", providers.sesBounce(address)],
    ["ses", providers.sesComplaint(address)],
    ["postmark", providers.postmarkBounce(address)],
    ["resend", providers.resendEvent("email.bounced", address, { type: "Permanent" })],
    ["generic", providers.genericEvent("complaint", address)],
  ];
  const email = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...emails) }, text);
  const fate = fc.constantFrom("forged", "cut off", ...Array(8).fill("whole"));
  const event = fc.tuple(email, fc.constantFrom(...victims), fc.nat(4), fc.option(fc.tuple(fc.nat(), anyValue)), fate);
  const statuses = new Map<number, number>();
  let suppressed = 0;
  for (let sent = 0; sent < cases; sent += 1000) {
    const sample = fc.sample(event, 1000);
    const sendNext = async () => {
      for (let next = sample.pop(); next; next = sample.pop()) {
        const [address, victim, index, replacement, fate] = next;
        const isForged = fate === "forged";
        const [provider = "", body = {}] = bodies(isForged ? victim : address)[index] ?? [];
        const signed = signers[provider]?.(replacement ? replaceValue(body, ...replacement) : body, isForged);
        if (!signed) continue;
        if (fate === "cut off") signed.payload = signed.payload.slice(0, -5);
        const status = await post(provider, signed, 1 + ((sent / 1000) % 250));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 8 }, sendNext));
    // Lets each batch of events suppress the same people again.
    await db.pool.query("update deliveries set state = 'sent'");
    const again = "update sign_ups set suppressed_at = null where suppressed_at is not null and id <= 100";
    suppressed += (await db.pool.query(again)).rowCount ?? 0;
  }
  check([...statuses.keys()].toSorted().join() === "204,400,401", `statuses: ${[...statuses.keys()]}`);
  check(suppressed > cases / 20, `only ${suppressed} were suppressed`);
  const { rowCount } = await db.pool.query("select from sign_ups where suppressed_at is not null");
  check(rowCount === 0, `${rowCount} were suppressed who weren't mailed, or by a forged event`);
  return { acknowledged: cases, lost: 0, duplicated: 0, figures: { suppressed, ...Object.fromEntries(statuses) } };
}

function replaceValue(body: object, at: number, value: unknown): object {
  const json = JSON.stringify(body);
  const values = [...json.matchAll(/(?<=[:[])"(?:[^"\\]|\\.)*"/g)];
  const { index, 0: old } = values[at % values.length] ?? { index: 0, 0: json };
  return JSON.parse(json.slice(0, index) + JSON.stringify(value ?? null) + json.slice(index + old.length));
}
