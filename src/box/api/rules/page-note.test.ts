import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderPage } from '../../page/render.ts';
import { withCatalogueNote, withPageNote } from './page-note.ts';

test('the page begins with a note about a disk that is nearly full', () => {
  const { html } = renderPage('1.2.3');
  assert.equal(withPageNote(html, null), html);
  const link = { text: 'What takes the space', href: '/settings/#/space' };
  const noted = withPageNote(html, { about: 'Disk space', text: 'The disk of $& </a><script>& has 1 GB free.', link });
  assert.match(
    noted,
    /<main id="content" tabindex="-1"><section class="warning" aria-label="Disk space"><p>The disk of \$&amp; &lt;\/a&gt;&lt;script&gt;&amp; has/,
  );
});

const { html } = renderPage('1.2.3');
const many = (count: number) => Array.from({ length: count }, (_, at) => ({ path: `/c/${at}`, error: 'no <b>' }));

test('the page lists each app of the catalogue that cannot be offered, with its fault', () => {
  assert.equal(withCatalogueNote(html, []), html);
  assert.match(
    withCatalogueNote(html, many(2)),
    /mended:<\/p><ul><li><strong>\/c\/0<\/strong>: no &lt;b&gt;<\/li><li><strong>\/c\/1<.*<p class="note fine own">/,
  );
  assert.match(
    withCatalogueNote(html, many(22)),
    /\/c\/19<.*<li>2 more: <code>boxgate box catalogue check<\/code><\/li>/,
  );
});
