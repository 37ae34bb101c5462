import { escapeHtml } from '../../rules/text/escape-html.ts';

/** A warning at the top of the page: what it is about, its text, and where to read more. */
export type PageNote = { about: string; text: string; link: { text: string; href: string } };

const start = '<main id="content" tabindex="-1">';

/** Puts a note at the start of the page's content. */
export function withPageNote(html: string, note: PageNote | null): string {
  if (note === null) return html;
  const link = `<a href="${escapeHtml(note.link.href)}">${escapeHtml(note.link.text)}</a>`;
  const text = `<p>${escapeHtml(note.text)} ${link}</p>`;
  return html.replace(
    start,
    () => `${start}<section class="warning" aria-label="${escapeHtml(note.about)}">${text}</section>`,
  );
}
