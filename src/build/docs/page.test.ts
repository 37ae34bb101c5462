import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '../../../conformance/report/markup.ts';
import { linkNames, type Page, renderPage } from './page.ts';

const places = new Map([
  ['box/icon/3', 'requirements.html#box/icon/3'],
  ['choice/box/7', 'choices.html#choice/box/7'],
  ['spec/box.md', 'requirements.html'],
]);
const linked = (text: string, here = 'index.html') => linkNames(text, places, here);

test('a known id becomes a link, also at the end of a sentence, in code and in brackets', () => {
  const link = '<a href="requirements.html#box/icon/3">box/icon/3</a>';
  assert.equal(linked('See box/icon/3.'), `See ${link}.`);
  assert.equal(linked('<code>box/icon/3</code>'), `<code>${link}</code>`);
  assert.equal(linked('(box/icon/3)'), `(${link})`);
});

test('a range leads to its first id, and the name of a file to its page', () => {
  assert.equal(linked('box/icon/3-5'), '<a href="requirements.html#box/icon/3">box/icon/3-5</a>');
  assert.equal(linked('spec/box.md'), '<a href="requirements.html">spec/box.md</a>');
});

test('a link on the same page has only the anchor', () => {
  assert.equal(linked('choice/box/7', 'choices.html'), '<a href="#choice/box/7">choice/box/7</a>');
});

for (const text of [
  'box/icon/4 and box/icon/3x',
  'my/box/icon/3',
  '<p id="box/icon/3">',
  '<a href="#x"><code>box/icon/3</code></a>',
  '<script>"box/icon/3"</script>',
]) {
  test(`${text} stays as it is`, () => assert.equal(linked(text), text));
}

const page = (file: string, group: string, label: string): Page => ({
  file,
  title: `<${label}>`,
  group,
  label,
  about: '',
  body: html`<h1>${label}</h1>`,
});
const pages = [page('index.html', 'Start', 'Start'), page('a.html', 'APIs', 'Box'), page('b.html', 'APIs', 'Gateway')];

test('a page has an escaped title, a skip link and its landmarks', () => {
  const [, first = pages[0]] = pages;
  const text = renderPage(first as Page, { pages, places, version: '1.2.3' });
  for (const part of ['<title>&lt;Box&gt; – boxgate 1.2.3</title>', 'href="#content"', '<main id="content"', '<nav ']) {
    assert.ok(text.includes(part), part);
  }
});

test('the navigation marks the group and the page', () => {
  const text = renderPage(pages[2] as Page, { pages, places, version: '1.2.3' });
  assert.match(text, /<a href="a.html" aria-current="true">APIs<\/a>/);
  assert.match(text, /<a href="b.html" aria-current="page">Gateway<\/a>/);
  assert.match(text, /<a href="a.html">Box<\/a>/);
});

test('a group of one page has no second navigation', () => {
  const text = renderPage(pages[0] as Page, { pages, places, version: '1.2.3' });
  assert.equal(text.split('<nav').length, 2);
  assert.match(text, /<a href="index.html" aria-current="page">Start<\/a>/);
});
