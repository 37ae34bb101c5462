import { escapeHtml } from '../../rules/text/escape-html.ts';

const start = '<main id="content" tabindex="-1">';

/** Puts a note about disks that are nearly full at the start of the page's content. */
export function withDiskNote(html: string, text: string | null): string {
  if (text === null) return html;
  const link = '<a href="/settings/#/space">What takes the space</a>';
  const note = `<section class="warning" aria-label="Disk space"><p>${escapeHtml(text)} ${link}</p></section>`;
  return html.replace(start, () => `${start}${note}`);
}
