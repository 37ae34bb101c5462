import type { Coverage, Point } from '../../run/coverage.ts';
import { html, type Markup } from './markup.ts';

/** A table of operations and the statuses that the traffic covered. */
export function coverageSection(coverage: Coverage | null): Markup | null {
  if (coverage === null) return null;
  const statuses = [...new Set(coverage.operations.flatMap((one) => one.statuses.map(({ name }) => name)))].sort();
  const rows = coverage.operations.map(
    (
      one,
    ) => html`<tr><th scope="row">${one.operation}</th>${statuses.map((status) => cell(one.statuses, status))}<td>${broken(one.constraints)}</td></tr>
`,
  );
  return html`<section aria-labelledby="coverage">
<h2 id="coverage">What the traffic showed of the API <small>${coverage.seen} of ${coverage.points}</small></h2>
<div class="wide" tabindex="0" role="region" aria-label="Answers by operation and status">
<table>
<thead><tr><th scope="col">Operation</th>${statuses.map((status) => html`<th scope="col">${status}</th>`)}<th scope="col">Constraints broken</th></tr></thead>
<tbody>
${rows}</tbody>
</table>
</div>
${gapList(coverage)}
</section>`;
}

function cell(points: readonly Point[], status: string): Markup {
  const point = points.find(({ name }) => name === status);
  if (point === undefined) return html`<td></td>`;
  return point.times === 0 ? html`<td class="gap">none</td>` : html`<td>${point.times}</td>`;
}

const broken = (constraints: readonly Point[]): string =>
  constraints.length === 0 ? '' : `${constraints.filter(({ times }) => times > 0).length} of ${constraints.length}`;

function gapList({ gaps }: Coverage): Markup | null {
  if (gaps.length === 0) return null;
  const rows = gaps.map(
    ({ operation, point, reason }) =>
      html`<li><span class="id">${operation} ${point}</span> ${reason ?? 'no reason is known'}</li>\n`,
  );
  return html`<details class="gaps"><summary>Not seen (${gaps.length})</summary><ul>${rows}</ul></details>`;
}
