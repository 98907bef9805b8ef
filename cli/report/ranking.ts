import { formatNumber, formatPercent } from "#core/format.ts";
import { html, type Markup } from "#core/html.ts";
import { barSvg } from "./chart-svg.ts";

interface Ranking {
  title: string;
  note: string;
  /** What stands in the first column. */
  what: string;
  rows: { name: Markup; signUps: number }[];
  /** What the shares are of. */
  all: number;
  nothing: string;
}

/** Chart and table in one: each row has its bar, and its numbers beside it. */
export function ranking({ title, note, what, rows, all, nothing }: Ranking): Markup {
  const most = rows[0]?.signUps ?? 0;
  return html`
    <section class="card">
      <header><h2>${title}</h2><p>${note}</p></header>
      ${
        most === 0
          ? html`<p class="nothing">${nothing}</p>`
          : html`
      <table class="ranking">
        <caption class="unseen">${title}</caption>
        <thead><tr><th scope="col">${what}</th><th scope="col">Sign-ups</th><th scope="col">Share</th></tr></thead>
        <tbody>${rows.map(
          ({ name, signUps }) => html`
          <tr><th scope="row">${name}${barSvg(signUps, most)}</th><td>${formatNumber(signUps)}</td><td>${formatPercent(signUps, all)}</td></tr>`,
        )}
        </tbody>
      </table>`
      }
    </section>`;
}
