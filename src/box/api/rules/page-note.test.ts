import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderPage } from '../../page/render.ts';
import { withPageNote } from './page-note.ts';

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
