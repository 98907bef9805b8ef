import { Bar } from "#console/app/charts/charts.tsx";
import { Link } from "#console/app/http/location.tsx";
import { KeyValueList } from "#console/app/ui/key-value-list.tsx";
import { localDate } from "#console/app/ui/local-time.ts";
import { Empty } from "#console/app/ui/states.tsx";
import { Ago } from "#console/app/ui/times.tsx";
import type { Arrival, MailStatus, Overview, Ranked } from "#console/contract/overview.ts";
import { may, type Role } from "#console/contract/roles.ts";
import { describeReason } from "#core/mail/delivery-reasons.ts";
import type { FilterName } from "#core/people/filter-fields.ts";
import { formatQuarantined } from "#core/sign-ups/quarantine-size.ts";
import { formatAgo, formatNumber, formatPercent, pluralize } from "#core/text/format.ts";

/** As in a view's URL; undefined if no filter can select these people. */
export type LinkFilter = Partial<Record<FilterName, string>> | undefined;

export function PeopleLink({ people, filter }: { people: number; filter: LinkFilter }) {
  if (!filter) return formatNumber(people);
  return <Link href={`/people?${new URLSearchParams(filter)}`}>{formatNumber(people)}</Link>;
}

/** The list's totals, without those by state until they are counted. */
export function Totals({ numbers: { people, companies, quarantined, states } }: { numbers: Overview }) {
  const values = {
    "On the list": <PeopleLink people={people} filter={{}} />,
    ...(states && {
      Confirmed: <PeopleLink people={states.confirmed} filter={{ confirmed: "yes" }} />,
      Invited: <PeopleLink people={states.invited} filter={{ invited: "yes" }} />,
      // Not called subscribers, because some can't be emailed: they haven't confirmed, or are suppressed.
      "Newsletter opt-ins": <PeopleLink people={states.newsletter} filter={{ newsletter: "yes" }} />,
      Suppressed: <PeopleLink people={states.suppressed} filter={{ suppressed: "yes" }} />,
    }),
    Companies: formatNumber(companies),
    "In quarantine": <Link href="/quarantine">{formatQuarantined(quarantined)}</Link>,
  };
  return <KeyValueList className="figures card wide-card" values={values} />;
}

interface RankingProps {
  title: string;
  /** Largest first. */
  rows: Ranked[];
  /** The filter that a row's link adds to `filter`, with the row's name. */
  by: "company" | "domain";
  filter: LinkFilter;
  period: string;
}

export function Ranking({ title, rows, by, filter, period }: RankingProps) {
  const max = rows[0]?.people ?? 0;
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
        <p className="quiet">Joined: {period}</p>
      </header>
      {rows.length === 0 ? (
        <Empty>None.</Empty>
      ) : (
        <table>
          <tbody>
            {rows.map(({ name, people }) => (
              <tr key={name}>
                <th scope="row">
                  <bdi>{name}</bdi>
                  <Bar value={people} max={max} />
                </th>
                <td>
                  <PeopleLink people={people} filter={{ ...filter, [by]: name }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const WAVE_SIZE = 200;

export function Next({ numbers, role }: { numbers: Overview; role: Role }) {
  const { people, quarantined, lastWaveAt, states } = numbers;
  const { waiting = 0, confirmed = people } = states ?? {};
  const ago = lastWaveAt && formatAgo(new Date(lastWaveAt), new Date(numbers.madeAt), localDate(lastWaveAt));
  const lastWave = ago ? `last wave ${ago}` : states?.invited === 0 ? "nobody has been invited yet" : "no wave yet";
  const wave = Math.min(waiting, WAVE_SIZE);
  const invite = { action: `Invite ${formatNumber(wave)}`, to: `/messages/new?kind=invitation&next=${wave}` };
  const suggestions = [
    {
      count: waiting,
      text: `confirmed ${waiting === 1 ? "person is" : "people are"} waiting; ${lastWave}`,
      href: "/people?confirmed=yes&invited=no&suppressed=no",
      ...(may(role, "write") && invite),
    },
    { count: quarantined, text: "in quarantine", href: "/quarantine", action: "Review" },
    {
      count: people - confirmed,
      text: "never confirmed",
      href: "/people?confirmed=no",
      ...(may(role, "write") && { action: "Reminder", to: "/messages/0" }),
    },
  ].filter(({ count }) => count > 0);
  return (
    <section className="card next">
      <h2>Next</h2>
      <ul>
        {suggestions.map(({ count, text, href, action = "See them", to = href }, index) => (
          <li key={href} className="toolbar">
            <p>
              <Link href={href}>{formatNumber(count)}</Link> {text}
            </p>
            <Link className={`button ${index === 0 ? "primary" : ""}`} href={to}>
              {action}
            </Link>
          </li>
        ))}
      </ul>
      {suggestions.length === 0 && <p className="quiet">Nothing is waiting for you.</p>}
    </section>
  );
}

export function Arrivals({ people }: { people: Arrival[] }) {
  return (
    <section className="card newest">
      <header>
        <h2>Newest</h2>
        <Link href="/people" className="quiet">
          All people
        </Link>
      </header>
      <ol className="arrivals">
        {people.map(({ id, email, firstName, lastName, company, joinedAt }) => (
          <li key={id}>
            <Link href={`/people/${id}`}>
              <bdi>{email}</bdi>
            </Link>
            <Ago at={joinedAt} />
            <bdi className="quiet">
              {firstName} {lastName}
              {company && ` · ${company}`}
            </bdi>
          </li>
        ))}
      </ol>
    </section>
  );
}

const MAX_WAIT_MS = 10 * 60_000;

export function Mail({ mail, now }: { mail: MailStatus; now: Date }) {
  const waitedMs = mail.waitingSince ? now.getTime() - Date.parse(mail.waitingSince) : 0;
  const state = stateOf(mail, waitedMs);
  const { bounced, complained, unsubscribed } = mail.lastMonth;
  const values = {
    Waiting: formatNumber(mail.waiting),
    Oldest: mail.waitingSince ? <Ago at={mail.waitingSince} /> : "–",
    Rate: `${formatNumber(mail.perMinute)} per minute`,
    "Last sent": mail.lastSentAt ? <Ago at={mail.lastSentAt} /> : "Never",
    "Bounced, 30 days": `${formatNumber(bounced)} (${formatPercent(mail.rates.bounces)})`,
    "Complained, 30 days": `${formatNumber(complained)} (${formatPercent(mail.rates.complaints)})`,
    "Unsubscribed, 30 days": formatNumber(unsubscribed),
    "Given up": formatNumber(mail.dead),
    "Last error": mail.lastFailure ? describeReason(mail.lastFailure.reason) : "None",
    ...(mail.lastFailure && { When: <Ago at={mail.lastFailure.at} /> }),
  };
  return (
    <section className="card mail-health">
      <header>
        <h2>Mail</h2>
        <p className={`status ${state.tone}`}>{state.name}</p>
      </header>
      <KeyValueList values={values} />
    </section>
  );
}

function stateOf({ dead, failingSeconds, lastSentAt, waiting }: MailStatus, waitedMs: number) {
  if (failingSeconds > 60) return { name: "Failing", tone: "bad" };
  if (waitedMs > MAX_WAIT_MS) return { name: "Late", tone: "bad" };
  if (dead > 0) return { name: `Gave up on ${pluralize(dead, "email")}`, tone: "bad" };
  if (!lastSentAt && waiting === 0) return { name: "Nothing sent yet", tone: "quiet" };
  return { name: "On time", tone: "good" };
}
