import { emailKey } from "#core/sign-ups/email-key.ts";
import { derivedColumns } from "#core/sign-ups/person-columns.ts";
import { CAMPAIGNS, COMPANY_WORDS, LARGE_COMPANIES, MAIL_PROVIDERS, NAMES, NO_COMPANY, QUARANTINED } from "./data.ts";
import { type Random, seededRandom } from "./random.ts";
import { type Calendar, calendarUntil, isLaunchNews, joinTimes } from "./times.ts";

const HOUR = 3_600_000;
/** An arbitrary constant. */
const SEED = 20_261_115;

/** A row of sign_ups, with its entries in the consent ledger. */
export interface SeededPerson {
  first_name: string;
  last_name: string;
  email: string;
  email_key: string;
  company: string | null;
  company_key: string | null;
  search_words: string;
  utm: object | null;
  joined_at: Date;
  confirmed_at: Date | null;
  invited_at: Date | null;
  rejected_at: Date | null;
  agreed_at: Date | null;
  withdrew_at: Date | null;
}

/** Generates people in the order in which they joined, up to now; the same ones each time. */
export function generatePeople(count: number, now: Date): SeededPerson[] {
  const random = seededRandom(SEED);
  const calendar = calendarUntil(now);
  const taken = new Set<string>();
  const people = joinTimes(count, calendar, random).map((joinedAt) => {
    const { first, last } = random.pickBy(NAMES, ({ weight }) => weight);
    const [[firstName, latinFirst], [lastName, latinLast]] = [
      spellings(random.pick(first)),
      spellings(random.pick(last)),
    ];
    const { company, domain } = generateCompany(count, random);
    const email = generateAddress(fold(latinFirst), fold(latinLast), domain, taken, random);
    const person = { first_name: firstName, last_name: lastName, ...email, company };
    const { company_key, search_words } = derivedColumns(person);
    return {
      ...person,
      company_key,
      search_words,
      utm: random.pickBy(CAMPAIGNS, (campaign) => campaign[isLaunchNews(joinedAt, calendar) ? "launch" : "usual"]).utm,
      ...generateHistory(joinedAt, calendar, random),
    };
  });
  inviteInWaves(people, calendar);
  return people;
}

/** Generates the sign-ups that the honeypot has caught in the same time. */
export function generateQuarantined(count: number, now: Date) {
  const random = seededRandom(SEED);
  return joinTimes(count, calendarUntil(now), random).map((caught_at, index) => {
    const { first_name, last_name, website } = random.pick(QUARANTINED);
    const email = `${fold(first_name + last_name)}${index}@mail.example`;
    return { first_name, last_name, email, email_key: email, company: null, newsletter: true, website, caught_at };
  });
}

function spellings(name: string): [string, string] {
  const [typed = "", latin = typed] = name.split("=");
  return [typed, latin];
}

/** A few large companies and many small ones, as on real lists. */
function generateCompany(count: number, random: Random): { company: string | null; domain: string } {
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
  // A prime step, so that companies of similar rank don't have similar names.
  const position = rank * 1009;
  const word = (words: string[], index: number) => words[index % words.length] ?? "";
  const last = Math.floor(position / first.length / second.length);
  return `${word(first, position)} ${word(second, Math.floor(position / first.length))} ${word(third, last)}`;
}

function generateAddress(first: string, last: string, domain: string, taken: Set<string>, random: Random) {
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
  // Phone keyboards capitalize the first letter.
  if (random.chance(0.05)) email = email.charAt(0).toUpperCase() + email.slice(1);
  taken.add(keyOf(email));
  return { email, email_key: keyOf(email) };
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
  /** The date with this probability, unless it is in the future. */
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
    agreed_at,
    withdrew_at: agreed_at && withdrew_at,
  };
}

/** Each wave invites the people who have confirmed and waited longest. */
function inviteInWaves(people: SeededPerson[], { waves }: Calendar): void {
  for (const wave of waves) {
    const waiting = people.filter(({ confirmed_at, invited_at }) => confirmed_at && confirmed_at < wave && !invited_at);
    for (const person of waiting.slice(0, Math.ceil(people.length / 15))) person.invited_at = wave;
  }
}
