/** A warning at the top of the page: what it is about, its text, and where to read more. */
export type PageNote = { about: string; text: string; link: { text: string; href: string } };

const start = '<main id="content" tabindex="-1">';

export function withPageNote(html: string, note: PageNote | null): string {
  if (note === null) return html;
  const link = `<a href="${escapeHtml(note.link.href)}">${escapeHtml(note.link.text)}</a>`;
  const text = `<p>${escapeHtml(note.text)} ${link}</p>`;
  return html.replace(
    start,
    () => `${start}<section class="warning" aria-label="${escapeHtml(note.about)}">${text}</section>`,
  );
}

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

/** A text between two tags. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
