import { readFileSync } from "node:fs";
import { brand } from "#brand/brand.ts";
import { markSvg } from "#brand/mark.ts";
import { pageStyle } from "#brand/style.ts";
import type { Point } from "#charts/axes.ts";
import { formatLongDateTime, formatNumber, formatPercent } from "#core/format.ts";
import { html, Markup } from "#core/html.ts";
import type { Day, Ranked, ReportNumbers, Source } from "#core/waitlist/report-numbers.ts";
import { barSvg } from "./chart-svg.ts";
import { counts, DAY, growth, HOUR } from "./over-time.ts";
import { ranking } from "./ranking.ts";

/** More columns than this are hairlines on a phone. */
const MAX_DAYS = 90;

const styles = [new URL("report.css", import.meta.url), new URL("charts.css", import.meta.url)];
const font = new URL("../../brand/fonts/sans.woff2", import.meta.url);

/** The report as one file that asks nobody for anything: it can be mailed, kept and opened anywhere. */
export function renderReport(numbers: ReportNumbers): string {
  const { madeAt, signUps } = numbers;
  const days = numbers.days.slice(-MAX_DAYS);
  const lastDays = `The last ${days.length} days, UTC`;
  const perDay = (of: (day: Day) => number) => days.map((day) => ({ at: day.from, count: of(day) }));

  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${brand.name} waitlist, ${formatLongDateTime(madeAt)} UTC</title>
  <style>
${new Markup(pageStyle("light dark", `data:font/woff2;base64,${readFileSync(font, "base64")}`))}
${styles.map((file) => new Markup(readFileSync(file, "utf8")))}</style>
</head>
<body>
  <header class="top">
    <p class="brand">
      ${new Markup(markSvg())}
      ${brand.name}
    </p>
    <p>Made on <time datetime="${madeAt.toISOString()}">${formatLongDateTime(madeAt)} UTC</time></p>
  </header>
  <main>
    <h1>Waitlist report</h1>
    ${growth(
      {
        title: "Sign-ups",
        unit: "people",
        note: "Since the beginning, UTC",
        points: addedUp(numbers.days),
        nothing: "The curve begins with the first sign-up.",
      },
      `${formatNumber(numbers.lastDay)} in the last 24 hours`,
      madeAt,
    )}
    ${figures(numbers)}
    ${counts(
      {
        title: "Sign-ups per hour",
        unit: "sign-ups",
        note: "The last 72 hours, UTC",
        points: numbers.hours.map(({ from, signUps }) => ({ at: from, count: signUps })),
        nothing: "Nobody joined in the last 72 hours.",
      },
      HOUR,
      madeAt,
    )}
    ${counts(
      {
        title: "Sign-ups per day",
        unit: "sign-ups",
        note: lastDays,
        points: perDay((day) => day.signUps),
        nothing: `Nobody joined in the last ${days.length} days.`,
      },
      DAY,
      madeAt,
    )}
    <div class="two">
      ${ranking({
        title: "Companies",
        note: "The ten with the most people, as most of them spell it",
        what: "Company",
        rows: numbers.topCompanies.map(named),
        all: signUps,
        nothing: "Nobody has named a company yet.",
      })}
      ${ranking({
        title: "Mail domains",
        note: "The ten with the most addresses",
        what: "Domain",
        rows: numbers.topDomains.map(named),
        all: signUps,
        nothing: "There is no address yet.",
      })}
    </div>
    ${ranking({
      title: "Sources",
      note: `The ten that brought the most people, by UTM source, medium and campaign; ${formatPercent(numbers.withoutSource, signUps)} came without any`,
      what: "Source, medium, campaign",
      rows: numbers.topSources.map(fromSource),
      all: signUps,
      nothing: "No campaign has brought anybody yet.",
    })}
    <div class="two">
      ${counts(
        {
          title: "Invited per day",
          unit: "people",
          note: lastDays,
          points: perDay((day) => day.invited),
          nothing: `Nobody was invited in the last ${days.length} days.`,
        },
        DAY,
        madeAt,
      )}
      ${counts(
        {
          title: "Quarantined per day",
          unit: "sign-ups",
          note: `${lastDays}; only what still waits`,
          points: perDay((day) => day.caught),
          nothing: `Nothing of the last ${days.length} days waits in quarantine.`,
        },
        DAY,
        madeAt,
      )}
    </div>
  </main>
</body>
</html>
`.text;
}

function figures(numbers: ReportNumbers): Markup {
  const figure = (name: string, count: number, note: string, drawn: Markup | "" = "") => html`
      <div><dt>${name}</dt><dd class="figure">${formatNumber(count)}</dd><dd class="note">${note}${drawn}</dd></div>`;
  const share = (name: string, count: number) =>
    figure(name, count, `${formatPercent(count, numbers.signUps)} of sign-ups`, barSvg(count, numbers.signUps));
  return html`
    <dl class="card figures">
      ${figure("Companies", numbers.companies, "on the list")}
      ${share("Newsletter", numbers.newsletter)}
      ${share("Confirmed", numbers.confirmed)}
      ${share("Invited", numbers.invited)}
      ${figure("Quarantine", numbers.quarantined, "waiting for a decision")}
      ${figure("Unsubscribed", numbers.unsubscribed, "no longer want news")}
      ${figure("Rejected", numbers.rejected, "by their mail server")}
      ${figure("Erased", numbers.erased, "and no longer counted")}
    </dl>`;
}

function addedUp(days: Day[]): Point[] {
  let all = 0;
  return days.map(({ from, signUps }) => {
    all += signUps;
    return { at: from, count: all };
  });
}

/** Apart from its surroundings, so that a name with letters from right to left doesn't turn them round. */
function named({ name, signUps }: Ranked) {
  return { name: html`<bdi>${name}</bdi>`, signUps };
}

function fromSource({ source, medium, campaign, signUps }: Source) {
  const rest = html`/ <bdi>${medium ?? "–"}</bdi> / <bdi>${campaign ?? "–"}</bdi>`;
  return { name: html`<bdi>${source ?? "–"}</bdi> <span class="quiet">${rest}</span>`, signUps };
}
