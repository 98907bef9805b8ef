import type { EmailKey } from "#core/database/tables.ts";
import { addressSchema, emailKey } from "#core/people/address.ts";
import { derivedColumns } from "#core/people/person-columns.ts";
import { CAMPAIGNS, COMPANY_WORDS, MAIL_DOMAINS, NAMES, QUARANTINED, SPELLINGS } from "./data.ts";
import { type Random, seededRandom } from "./random.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** An arbitrary constant. */
const SEED = 20_261_115;
const DAYS_OPEN = 45;
const WAVES_DAYS_AGO = [21, 14, 7];

/** A person's columns in sign_ups, and the times of their entries in the consent ledger. */
export type SeededPerson = ReturnType<typeof generatePeople>[number];

/** Generates the same people each time, in the order in which they joined. */
export function generatePeople(count: number, now: Date) {
  const random = seededRandom(SEED);
  const taken = new Set<string>();
  const people = joinTimes(count, now, random).map((joinedAt) => {
    const [first_name = "", last_name = ""] = random.pick(NAMES).map((names) => random.pick(names));
    const { company, domain } = generateCompany(random);
    const person = { first_name, last_name, company, ...generateAddress(`${first_name}.${last_name}`, domain, taken) };
    const utm = random.pick(CAMPAIGNS);
    return { ...person, ...derivedColumns(person), utm, ...generateHistory(joinedAt, now, random) };
  });
  // Each wave invites the confirmed people who have waited longest.
  for (const wave of WAVES_DAYS_AGO.map((days) => new Date(now.getTime() - days * DAY))) {
    const waiting = people.filter(({ confirmed_at, invited_at }) => confirmed_at && confirmed_at < wave && !invited_at);
    for (const person of waiting.slice(0, Math.ceil(count / 15))) {
      person.invited_at = wave;
      const accepted = new Date(wave.getTime() + random.waitMs(48 * HOUR));
      if (random.chance(0.6) && accepted < now) person.accepted_at = accepted;
    }
  }
  return people;
}

export function generateQuarantined(count: number, now: Date) {
  const random = seededRandom(SEED);
  return joinTimes(count, now, random).map((caught_at, index) => {
    const address = stored(`quarantined${index}@mail.example`);
    return { ...random.pick(QUARANTINED), ...address, company: null, newsletter: true, caught_at };
  });
}

/** Most join soon after the list opens. */
function joinTimes(count: number, now: Date, random: Random): Date[] {
  return Array.from({ length: count }, () => now.getTime() - (1 - random.next() ** 2) * DAYS_OPEN * DAY)
    .sort((a, b) => a - b)
    .map((at) => new Date(at));
}

function generateCompany(random: Random): { company: string | null; domain: string } {
  const domain = random.pick(MAIL_DOMAINS);
  if (random.chance(0.45)) return { company: null, domain };
  const name = COMPANY_WORDS.map((words) => random.pick(words)).join(" ");
  return { company: random.pick(SPELLINGS)(name), domain: random.chance(0.8) ? `${fold(name)}.example` : domain };
}

function generateAddress(name: string, domain: string, taken: Set<string>) {
  const local = name.split(".").map(fold).filter(Boolean).join(".") || "hello";
  let text = `${local}@${domain}`;
  for (let number = 2; taken.has(text); number += 1) text = `${local}${number}@${domain}`;
  taken.add(text);
  return stored(text);
}

function stored(text: string) {
  const email = addressSchema.parse(text);
  return { email, email_key: emailKey(email) as EmailKey };
}

/** Lowercase ASCII letters only, as in most addresses. */
function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/[^a-z]/g, "");
}

function generateHistory(joinedAt: Date, now: Date, random: Random) {
  const after = (ms: number) => new Date(joinedAt.getTime() + ms);
  /** Returns the date with this probability, otherwise null; always null for a date in the future. */
  const maybe = (probability: number, at: Date) => (random.chance(probability) && at < now ? at : null);
  const suppressed_at = maybe(0.02, after(5000));
  const confirmed_at = maybe(0.72, after(random.waitMs(3 * HOUR)));
  const agreed_at = maybe(0.45, joinedAt);
  const withdrew_at = maybe(0.1, after(random.waitMs(200 * HOUR)));
  return {
    joined_at: joinedAt,
    suppressed_at,
    confirmed_at: suppressed_at ? null : confirmed_at,
    invited_at: null as Date | null,
    accepted_at: null as Date | null,
    newsletter: agreed_at !== null && withdrew_at === null,
    agreed_at,
    withdrew_at: agreed_at && withdrew_at,
  };
}
