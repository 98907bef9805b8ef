import type { Database } from "#core/database/connect.ts";
import { describeReason } from "#core/mail/delivery-reasons.ts";
import { readFriendDomains } from "#core/members/friends.ts";
import { countPlace } from "#core/members/line.ts";
import { type PersonData, readPersonData } from "#core/members/person-data.ts";
import { readQuarantine } from "#core/sign-ups/quarantine.ts";
import { MAX_QUARANTINED } from "#core/sign-ups/quarantine-size.ts";
import { readEntries } from "./activity.ts";

const MAX_ENTRIES = 20;

export async function readPerson(db: Database, id: string) {
  const { signUp, answers, consents, deliveries } = await readPersonData(db, { id });
  if (!signUp) return undefined;
  return {
    id,
    email: signUp.email,
    firstName: signUp.first_name,
    lastName: signUp.last_name,
    company: signUp.company,
    newsletter: signUp.newsletter,
    joinedAt: signUp.joined_at,
    confirmedAt: signUp.confirmed_at,
    invitedAt: signUp.invited_at,
    acceptedAt: signUp.accepted_at,
    suppressedAt: signUp.suppressed_at,
    setAsideAt: signUp.set_aside_at,
    utm: signUp.utm,
    friendOf: signUp.friend_of,
    answers,
    ahead: (await countPlace(db, id))?.ahead ?? null,
    friends: signUp.friends ?? ("void" as const),
    friendDomains: await readFriendDomains(db, id),
    consents,
    deliveries: deliveries.map(toDelivery),
    activity: (await readEntries(db, { person: id, limit: MAX_ENTRIES })).entries,
  };
}

function toDelivery(delivery: PersonData["deliveries"][number]) {
  const { kind, subject, state, reason, sent_at, tried_at, created_at } = delivery;
  const at = (state === "sent" && sent_at) || (tried_at ?? created_at);
  return { kind, subject, state, why: reason && describeReason(reason), at };
}

export async function readQuarantined(db: Database) {
  const entries = await readQuarantine(db, MAX_QUARANTINED);
  // Lists the fields, so that the page gets only those it shows.
  return entries.map(({ id, caught_at, email, first_name, last_name, company, website }) => ({
    id,
    caughtAt: caught_at,
    email,
    firstName: first_name,
    lastName: last_name,
    company,
    website,
  }));
}
