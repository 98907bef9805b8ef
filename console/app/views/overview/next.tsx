import { Link } from "#console/app/http/location.tsx";
import type { Overview } from "#console/contract/overview.ts";
import { may, type Role } from "#console/contract/roles.ts";
import { formatAgo, formatNumber } from "#core/format.ts";

const WAVE_SIZE = 200;

export function Next({ numbers, role }: { numbers: Overview; role: Role }) {
  const { people, quarantined, lastWaveAt, states } = numbers;
  const { waiting = 0, confirmed = people } = states ?? {};
  const lastWave = lastWaveAt && `last wave ${formatAgo(new Date(lastWaveAt), new Date(numbers.madeAt))}`;
  const wave = Math.min(waiting, WAVE_SIZE);
  const invite = { action: `Invite ${formatNumber(wave)}`, to: `/messages/new?kind=invitation&next=${wave}` };
  const suggestions = [
    {
      count: waiting,
      text: `confirmed ${waiting === 1 ? "person is" : "people are"} waiting; ${lastWave ?? "nobody has been invited yet"}`,
      href: "/people?confirmed=yes&invited=no&rejected=no",
      ...(may(role, "write") && invite),
    },
    { count: quarantined, text: "in quarantine", href: "/quarantine", action: "Review" },
    { count: people - confirmed, text: "never confirmed", href: "/people?confirmed=no" },
  ].filter(({ count }) => count > 0);
  return (
    <section className="card next">
      <h2>Next</h2>
      <ul>
        {suggestions.map(({ count, text, href, action = "See them", to = href }, index) => (
          <li key={href}>
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
