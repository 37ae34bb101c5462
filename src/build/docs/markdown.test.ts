import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markdown, sentence, slug } from './markdown.ts';

test('HTML in a text is shown and not used', () => {
  assert.equal(markdown('A <img src=x onerror=y> tag').text, '<p>A &lt;img src=x onerror=y&gt; tag</p>\n');
  assert.equal(markdown('<script>x</script>').text.includes('<script>'), false);
  assert.equal(sentence('`<svg` & <b>').text, '<code>&lt;svg</code> &amp; &lt;b&gt;');
});

test('a link has the address that it is given, and is only a text without one', () => {
  const addressOf = (href: string) => (href === 'here.md' ? 'here.html?a&b' : null);
  assert.equal(
    markdown('[a `b`](here.md)', addressOf).text,
    '<p><a href="here.html?a&amp;b">a <code>b</code></a></p>\n',
  );
  assert.equal(markdown('[a](javascript:x)', addressOf).text, '<p>a</p>\n');
});

test('an image is its text, because pages load nothing', () => {
  assert.equal(markdown('![a "badge"](https://example.org/a.svg)').text, '<p>a &quot;badge&quot;</p>\n');
});

test('headings have the ids that GitHub gives them', () => {
  assert.match(markdown('# How `it` is (run)').text, /<h1 id="how-it-is-run">/);
  const used = new Map<string, number>();
  assert.deepEqual(
    ['Same', 'Same', 'icon_svg: more'].map((text) => slug(text, used)),
    ['same', 'same-1', 'icon_svg-more'],
  );
});

test('tables and blocks of code can be scrolled with the keyboard', () => {
  assert.match(
    markdown('| a |\n| --- |\n| b |\n').text,
    /<div class="wide" tabindex="0"><table>[\s\S]*<\/table><\/div>/,
  );
  assert.match(markdown('```\na\n```\n').text, /<pre tabindex="0">/);
});
