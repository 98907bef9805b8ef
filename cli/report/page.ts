import { readFileSync } from "node:fs";
import { brand } from "#brand/brand.ts";
import { markSvg } from "#brand/mark.ts";
import { pageStyle } from "#brand/style.ts";
import type { Point } from "#charts/axes.ts";
import { formatLongDateTime, formatNumber, formatPercent } from "#core/format.ts";
import { html, Markup } from "#core/html.ts";
import type { Day, Ranked, ReportNumbers, Source } from "#core/waitlist/report-numbers.ts";
import { columnChartCard, DAY, HOUR, totalChartCard } from "./chart-card.ts";
import { barSvg } from "./chart-svg.ts";
import { rankingCard } from "./ranking-card.ts";

/** With more, the columns are hairlines on a phone. */
const MAX_DAYS = 90;

const styles = [
  new URL("report.css", import.meta.url),
  new URL("tables.css", import.meta.url),
  new URL("../../charts/chart.css", import.meta.url),
];
const font = new URL("../../brand/fonts/sans.woff2", import.meta.url);

/** Renders one self-contained file, so that it can be emailed, archived and opened offline. */
export function renderReport(numbers: ReportNumbers): string {
  const { madeAt, signUps } = numbers;
  const days = numbers.days.slice(-MAX_DAYS);
  const lastDays = `Last ${days.length} days, UTC`;
  const perDay = (count: (day: Day) => number) => days.map((day) => ({ at: day.from, count: count(day) }));

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
  <header class="page-header">
    <p class="brand">
      ${new Markup(markSvg())}
      ${brand.name}
    </p>
    <p>Generated on <time datetime="${madeAt.toISOString()}">${formatLongDateTime(madeAt)} UTC</time></p>
  </header>
  <main>
    <h1>Waitlist report</h1>
    ${totalChartCard(
      {
        title: "Sign-ups",
        unit: "people",
        note: "All time, UTC",
        points: runningTotal(numbers.days),
        emptyText: "No sign-ups yet.",
      },
      `${formatNumber(numbers.lastDay)} in the last 24 hours`,
      madeAt,
    )}
    ${keyFigures(numbers)}
    ${columnChartCard(
      {
        title: "Sign-ups per hour",
        unit: "sign-ups",
        note: "Last 72 hours, UTC",
        points: numbers.hours.map(({ from, signUps }) => ({ at: from, count: signUps })),
        emptyText: "No sign-ups in the last 72 hours.",
      },
      HOUR,
      madeAt,
    )}
    ${columnChartCard(
      {
        title: "Sign-ups per day",
        unit: "sign-ups",
        note: lastDays,
        points: perDay((day) => day.signUps),
        emptyText: `No sign-ups in the last ${days.length} days.`,
      },
      DAY,
      madeAt,
    )}
    <div class="two-columns">
      ${rankingCard({
        title: "Companies",
        note: "Top 10 by sign-ups, in the most common spelling",
        nameHeading: "Company",
        rows: numbers.topCompanies.map(companyOrDomain),
        totalSignUps: signUps,
        emptyText: "No companies yet.",
      })}
      ${rankingCard({
        title: "Email domains",
        note: "Top 10 by sign-ups",
        nameHeading: "Domain",
        rows: numbers.topDomains.map(companyOrDomain),
        totalSignUps: signUps,
        emptyText: "No email domains yet.",
      })}
    </div>
    ${rankingCard({
      title: "Sources",
      note: `Top 10 by sign-ups, from UTM tags; ${formatPercent(numbers.withoutSource, signUps)} of sign-ups have none`,
      nameHeading: "Source / medium / campaign",
      rows: numbers.topSources.map(campaignSource),
      totalSignUps: signUps,
      emptyText: "No sign-ups from campaigns yet.",
    })}
    <div class="two-columns">
      ${columnChartCard(
        {
          title: "Invited per day",
          unit: "people",
          note: lastDays,
          points: perDay((day) => day.invited),
          emptyText: `No one was invited in the last ${days.length} days.`,
        },
        DAY,
        madeAt,
      )}
      ${columnChartCard(
        {
          title: "Quarantined per day",
          unit: "sign-ups",
          note: `${lastDays}; entries still in quarantine`,
          points: perDay((day) => day.caught),
          emptyText: `Nothing from the last ${days.length} days is in quarantine.`,
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

function keyFigures(numbers: ReportNumbers): Markup {
  const figure = (name: string, count: number, note: string, bar: Markup | "" = "") => html`
      <div><dt>${name}</dt><dd class="figure">${formatNumber(count)}</dd><dd class="note">${note}${bar}</dd></div>`;
  const share = (name: string, count: number) =>
    figure(name, count, `${formatPercent(count, numbers.signUps)} of sign-ups`, barSvg(count, numbers.signUps));
  return html`
    <dl class="card figures">
      ${figure("Companies", numbers.companies, "on the list")}
      ${share("Newsletter", numbers.newsletter)}
      ${share("Confirmed", numbers.confirmed)}
      ${share("Invited", numbers.invited)}
      ${figure("Quarantine", numbers.quarantined, "to review")}
      ${figure("Unsubscribed", numbers.unsubscribed, "from the newsletter")}
      ${figure("Rejected", numbers.rejected, "by their mail server")}
      ${figure("Erased", numbers.erased, "no longer counted")}
    </dl>`;
}

function runningTotal(days: Day[]): Point[] {
  let total = 0;
  return days.map(({ from, signUps }) => {
    total += signUps;
    return { at: from, count: total };
  });
}

/** Isolates the name, so that right-to-left text doesn't reorder what is around it. */
function companyOrDomain({ name, signUps }: Ranked) {
  return { name: html`<bdi>${name}</bdi>`, signUps };
}

function campaignSource({ source, medium, campaign, signUps }: Source) {
  const rest = html`/ <bdi>${medium ?? "–"}</bdi> / <bdi>${campaign ?? "–"}</bdi>`;
  return { name: html`<bdi>${source ?? "–"}</bdi> <span class="quiet">${rest}</span>`, signUps };
}
