import { formatNumber, formatPercent } from "#core/format.ts";
import { html, type Markup } from "#core/html.ts";
import { barSvg } from "./chart-svg.ts";

interface RankingCard {
  title: string;
  note: string;
  /** Heading of the first column. */
  nameHeading: string;
  rows: { name: Markup; signUps: number }[];
  /** What 100% is. */
  totalSignUps: number;
  emptyText: string;
}

/** A table with a bar in each row. */
export function rankingCard({ title, note, nameHeading, rows, totalSignUps, emptyText }: RankingCard): Markup {
  const max = rows[0]?.signUps ?? 0;
  return html`
    <section class="card">
      <header><h2>${title}</h2><p>${note}</p></header>
      ${
        max === 0
          ? html`<p class="empty">${emptyText}</p>`
          : html`
      <table class="ranking">
        <caption class="visually-hidden">${title}</caption>
        <thead><tr><th scope="col">${nameHeading}</th><th scope="col">Sign-ups</th><th scope="col">Share</th></tr></thead>
        <tbody>${rows.map(
          ({ name, signUps }) => html`
          <tr><th scope="row">${name}${barSvg(signUps, max)}</th><td>${formatNumber(signUps)}</td><td>${formatPercent(signUps, totalSignUps)}</td></tr>`,
        )}
        </tbody>
      </table>`
      }
    </section>`;
}
