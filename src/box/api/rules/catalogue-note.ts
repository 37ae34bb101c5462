import { escapeHtml } from '../../rules/text/escape-html.ts';

const before = '<p class="note fine own">';
const mostShown = 20;

/** Lists, below the apps that can be installed, those that cannot be offered. */
export function withCatalogueNote(html: string, broken: readonly { path: string; error: string }[]): string {
  if (broken.length === 0) return html;
  const rows = broken
    .slice(0, mostShown)
    .map(({ path, error }) => `<strong>${escapeHtml(path)}</strong>: ${escapeHtml(error)}`);
  if (broken.length > mostShown)
    rows.push(`${broken.length - mostShown} more: <code>boxgate box catalogue check</code>`);
  const list = rows.map((row) => `<li>${row}</li>`).join('');
  const note = `<section class="note problem own" aria-label="Apps that cannot be offered"><p>Not offered, until its fault is mended:</p><ul>${list}</ul></section>`;
  return html.replace(before, () => `${note}${before}`);
}
