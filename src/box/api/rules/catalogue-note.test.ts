import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderPage } from '../../page/render.ts';
import { withCatalogueNote } from './catalogue-note.ts';

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
