import type { EmailKey } from "#core/database/tables.ts";
import { addressSchema, emailKey } from "#core/people/address.ts";
import { derivedColumns } from "#core/people/person-columns.ts";
import { CAMPAIGNS, COMPANY_WORDS, LARGE_COMPANIES, MAIL_DOMAINS, NAMES, NO_COMPANY, QUARANTINED } from "./data.ts";
import { type Random, seededRandom } from "./random.ts";
import { type Calendar, calendarUntil, isLaunchNews, joinTimes } from "./times.ts";

const HOUR = 3_600_000;
/** An arbitrary constant. */
const SEED = 20_261_115;

/** A person's columns in sign_ups, and the times of their entries in the consent ledger. */
export type SeededPerson = ReturnType<typeof generatePeople>[number];

/** Generates the same people each time, in the order in which they joined. */
export function generatePeople(count: number, now: Date) {
  const random = seededRandom(SEED);
  const calendar = calendarUntil(now);
  const taken = new Set<string>();
  const people = joinTimes(count, calendar, random).map((joinedAt) => {
    const [first, last] = random.pickRanked(NAMES).map((names) => spellings(random.pick(names)));
    const { company, domain } = generateCompany(count, random);
    const email = generateAddress(fold(first?.latin ?? ""), fold(last?.latin ?? ""), domain, taken, random);
    const person = { first_name: first?.typed ?? "", last_name: last?.typed ?? "", ...email, company };
    const season = isLaunchNews(joinedAt, calendar) ? "launch" : "usual";
    return {
      ...person,
      ...derivedColumns(person),
      utm: random.pick(CAMPAIGNS, (campaign) => campaign[season]).utm,
      ...generateHistory(joinedAt, calendar, random),
    };
  });
  // Each wave invites the confirmed people who have waited longest.
  for (const wave of calendar.waves) {
    const waiting = people.filter(({ confirmed_at, invited_at }) => confirmed_at && confirmed_at < wave && !invited_at);
    for (const person of waiting.slice(0, Math.ceil(count / 15))) {
      person.invited_at = wave;
      const accepted = new Date(wave.getTime() + Math.ceil(random.waitMs(48 * HOUR)));
      if (random.chance(0.6) && accepted < now) person.accepted_at = accepted;
    }
  }
  return people;
}

export function generateQuarantined(count: number, now: Date) {
  const random = seededRandom(SEED);
  return joinTimes(count, calendarUntil(now), random).map((caught_at, index) => {
    const { first_name, last_name, website } = random.pick(QUARANTINED);
    const address = stored(`${fold(first_name + last_name)}${index}@mail.example`);
    return { first_name, last_name, ...address, company: null, newsletter: true, website, caught_at };
  });
}

function spellings(name: string) {
  const [typed = "", latin = typed] = name.split("=");
  return { typed, latin };
}

/** A few large companies and many small ones, as on real lists. */
function generateCompany(count: number, random: Random): { company: string | null; domain: string } {
  const domain = random.pickRanked(MAIL_DOMAINS);
  if (random.chance(0.45)) return { company: random.chance(0.05) ? random.pick(NO_COMPANY) : null, domain };
  const fullName = random.chance(0.3)
    ? random.pickRanked(LARGE_COMPANIES)
    : `${smallCompany(Math.floor((random.next() ** 2 * count) / 3))}, Inc`;
  const [name = ""] = fullName.split(",");
  const company = random.pickRanked([
    name,
    fullName.replace(",", ""),
    name.toUpperCase(),
    name.toLowerCase(),
    fullName,
  ]);
  return { company, domain: random.chance(0.8) ? `${fold(name)}.example` : domain };
}

function smallCompany(rank: number): string {
  // A prime step, so that companies of similar rank don't have similar names.
  let position = rank * 1009;
  const words = COMPANY_WORDS.map((choice) => {
    const word = choice[position % choice.length];
    position = Math.floor(position / choice.length);
    return word;
  });
  return words.join(" ");
}

function generateAddress(first: string, last: string, domain: string, taken: Set<string>, random: Random) {
  const names = [`${first}.${last}`, `${first[0]}${last}`, `${first}${last}`, first, `${last}_${first}`];
  const local = random.pickRanked(names);
  let text = `${local}@${domain}`;
  for (let number = 2; taken.has(text.toLowerCase()); number += 1) text = `${local}${number}@${domain}`;
  // Phone keyboards capitalize the first letter.
  if (random.chance(0.05)) text = text.charAt(0).toUpperCase() + text.slice(1);
  taken.add(text.toLowerCase());
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
    .replace(/[łøßæ]/g, (letter) => ({ ł: "l", ø: "o", ß: "ss", æ: "ae" })[letter] ?? "")
    .normalize("NFD")
    .replace(/[^a-z]/g, "");
}

function generateHistory(joinedAt: Date, { now }: Calendar, random: Random) {
  const after = (ms: number) => new Date(joinedAt.getTime() + Math.ceil(ms));
  /** Returns the date with this probability, otherwise null; always null for a date in the future. */
  const maybe = (probability: number, at: Date) => (random.chance(probability) && at < now ? at : null);
  const rejected_at = maybe(0.02, after(5000));
  const confirmed_at = maybe(0.72, after(random.waitMs(3 * HOUR)));
  const agreed_at = maybe(0.45, joinedAt);
  const withdrew_at = maybe(0.1, after(random.waitMs(200 * HOUR)));
  return {
    joined_at: joinedAt,
    rejected_at,
    confirmed_at: rejected_at ? null : confirmed_at,
    invited_at: null as Date | null,
    accepted_at: null as Date | null,
    newsletter: agreed_at !== null && withdrew_at === null,
    agreed_at,
    withdrew_at: agreed_at && withdrew_at,
  };
}
