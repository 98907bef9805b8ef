import { companyKey } from "#core/waitlist/company-key.ts";
import { emailKey } from "#core/waitlist/email-key.ts";
import { CAMPAIGNS, CAUGHT, COMPANY_WORDS, LARGE_COMPANIES, MAIL_PROVIDERS, NAMES, NO_COMPANY } from "./data.ts";
import { type Random, seededRandom } from "./random.ts";
import { type Calendar, calendarUntil, isLaunchNews, joinTimes } from "./times.ts";

const HOUR = 3_600_000;
/** Any number would do. */
const SEED = 20_261_115;

/** A row of sign_ups, and what the ledger of consents says about them. */
export interface SeededPerson {
  first_name: string;
  last_name: string;
  email: string;
  email_key: string;
  company: string | null;
  company_key: string | null;
  utm: object | null;
  joined_at: Date;
  confirmed_at: Date | null;
  invited_at: Date | null;
  rejected_at: Date | null;
  agreed_at: Date | null;
  withdrew_at: Date | null;
}

/** So many invented people in the order in which they joined: the same ones each time, up to now. */
export function inventPeople(count: number, now: Date): SeededPerson[] {
  const random = seededRandom(SEED);
  const calendar = calendarUntil(now);
  const taken = new Set<string>();
  const people = joinTimes(count, calendar, random).map((joinedAt) => {
    const { first, last } = random.pickBy(NAMES, ({ weight }) => weight);
    const [[firstName, latinFirst], [lastName, latinLast]] = [
      spellings(random.pick(first)),
      spellings(random.pick(last)),
    ];
    const { company, domain } = inventCompany(count, random);
    const email = inventAddress(fold(latinFirst), fold(latinLast), domain, taken, random);
    return {
      first_name: firstName,
      last_name: lastName,
      ...email,
      company,
      company_key: companyKey(company ?? "") ?? null,
      utm: random.pickBy(CAMPAIGNS, (campaign) => campaign[isLaunchNews(joinedAt, calendar) ? "launch" : "usual"]).utm,
      ...inventHistory(joinedAt, calendar, random),
    };
  });
  inviteInWaves(people, calendar);
  return people;
}

/** What the honeypot has caught meanwhile. */
export function inventCaught(count: number, now: Date) {
  const random = seededRandom(SEED);
  return joinTimes(count, calendarUntil(now), random).map((caught_at, index) => {
    const { first_name, last_name, website } = random.pick(CAUGHT);
    const email = `${fold(first_name + last_name)}${index}@mail.example`;
    return { first_name, last_name, email, email_key: email, company: null, newsletter: true, website, caught_at };
  });
}

function spellings(name: string): [string, string] {
  const [typed = "", latin = typed] = name.split("=");
  return [typed, latin];
}

/** Some have many people and many have few, as on real lists. */
function inventCompany(count: number, random: Random): { company: string | null; domain: string } {
  const { domain } = random.pickBy(MAIL_PROVIDERS, ({ weight }) => weight);
  if (random.chance(0.45)) return { company: random.chance(0.05) ? random.pick(NO_COMPANY) : null, domain };
  const [name, legalForm] = random.chance(0.3)
    ? random.pickBy(LARGE_COMPANIES, (_, rank) => 1 / (rank + 1))
    : [smallCompany(Math.floor((random.next() ** 2 * count) / 3)), "Inc"];
  const spelled = random.pickBy(
    [
      { weight: 60, company: name },
      { weight: 15, company: `${name} ${legalForm}`.trim() },
      { weight: 5, company: `${name}, ${legalForm}`.replace(/, $/, "") },
      { weight: 10, company: name.toUpperCase() },
      { weight: 10, company: name.toLowerCase() },
    ],
    ({ weight }) => weight,
  );
  return { company: spelled.company, domain: random.chance(0.8) ? `${fold(name)}.example` : domain };
}

function smallCompany(rank: number): string {
  const { first, second, third } = COMPANY_WORDS;
  // A prime step, so that neighbors in rank are not neighbors in name.
  const place = rank * 1009;
  const word = (words: string[], at: number) => words[at % words.length] ?? "";
  const last = Math.floor(place / first.length / second.length);
  return `${word(first, place)} ${word(second, Math.floor(place / first.length))} ${word(third, last)}`;
}

function inventAddress(first: string, last: string, domain: string, taken: Set<string>, random: Random) {
  const local = random.pickBy(
    [
      { weight: 50, name: `${first}.${last}` },
      { weight: 20, name: `${first[0]}${last}` },
      { weight: 15, name: `${first}${last}` },
      { weight: 10, name: first },
      { weight: 5, name: `${last}_${first}` },
    ],
    ({ weight }) => weight,
  ).name;
  const keyOf = (address: string) => emailKey(address) ?? address;
  let email = `${local}@${domain}`;
  for (let number = 2; taken.has(keyOf(email)); number += 1) email = `${local}${number}@${domain}`;
  // As a phone's keyboard writes it.
  if (random.chance(0.05)) email = email.charAt(0).toUpperCase() + email.slice(1);
  taken.add(keyOf(email));
  return { email, email_key: keyOf(email) };
}

/** ASCII letters only, as in most addresses. */
function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/[łøßæ]/g, (letter) => ({ ł: "l", ø: "o", ß: "ss", æ: "ae" })[letter] ?? "")
    .normalize("NFD")
    .replace(/[^a-z]/g, "");
}

function inventHistory(joinedAt: Date, { now }: Calendar, random: Random) {
  const after = (ms: number) => new Date(joinedAt.getTime() + Math.ceil(ms));
  /** That often, and only what has happened by now. */
  const perhaps = (probability: number, at: Date) => (random.chance(probability) && at < now ? at : null);
  const rejected_at = perhaps(0.02, after(5000));
  const confirmed_at = perhaps(0.72, after(random.waitMs(3 * HOUR)));
  const agreed_at = perhaps(0.45, joinedAt);
  const withdrew_at = perhaps(0.1, after(random.waitMs(200 * HOUR)));
  return {
    joined_at: joinedAt,
    rejected_at,
    confirmed_at: rejected_at ? null : confirmed_at,
    invited_at: null as Date | null,
    agreed_at,
    withdrew_at: agreed_at && withdrew_at,
  };
}

/** Each wave goes to those who have confirmed and waited longest. */
function inviteInWaves(people: SeededPerson[], { waves }: Calendar): void {
  for (const wave of waves) {
    const waiting = people.filter(({ confirmed_at, invited_at }) => confirmed_at && confirmed_at < wave && !invited_at);
    for (const person of waiting.slice(0, Math.ceil(people.length / 15))) person.invited_at = wave;
  }
}
