import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PublishedCheck } from '../../../conformance/published-checks.ts';
import { checksPage, registerPage, sectionsOf } from './register-pages.ts';

const check: PublishedCheck = {
  id: 'box/listApps/sorted',
  api: 'box',
  level: 'must',
  rules: ['box/listApps/1'],
  title: 'sorts by `name` & <more>',
  requests: null,
};

const text = `# Title

Prose with **words**.

## listApps

- **box/listApps/1** (must) [Lists]: It is
  sorted.
- **box/listApps/2** (note) [Lists]: It is short. _Not checked: it is vague._

More prose.

## Choices

- **choice/box/1** (should: data is lost) _How?_ So. Why: because.
`;

test('sections have their entries, and the prose before, between and after them', () => {
  assert.deepEqual(
    sectionsOf(text).map(({ id, prose, rules }) => [id, prose, rules.map((rule) => rule.id)]),
    [
      ['', '# Title\n\nProse with **words**.', []],
      ['listapps', 'More prose.', ['box/listApps/1', 'box/listApps/2']],
      ['choices', '', ['choice/box/1']],
    ],
  );
});

test('an entry has its id as an anchor, its level, source, text, remark and checks', () => {
  const page = registerPage(text, [check]).text;
  const [, entry = ''] = /<article class="entry" id="box\/listApps\/1">([\s\S]*?)<\/article>/.exec(page) ?? [];
  for (const part of ['must</span>', '<p>It is sorted.</p>', 'Requirement document: Lists', '1 check<']) {
    assert.ok(entry.includes(part), part);
  }
  assert.match(entry, /box\/listApps\/sorted <span>sorts by <code>name<\/code> &amp; &lt;more&gt;/);
  assert.match(page, /Not checked: it is vague\./);
});

test('a choice has its question, answer, reason and the reason of its level', () => {
  const page = registerPage(text, []).text;
  for (const [name, value] of Object.entries({
    Question: '<em>How\\?</em>',
    Answer: 'So.',
    Why: 'because.',
    Level: 'data is lost',
  })) {
    assert.match(page, new RegExp(`<dt>${name}</dt><dd>${value}</dd>`));
  }
});

test('a check has its id as an anchor, and names its requirements', () => {
  const page = checksPage('Checks', [check]).text;
  assert.match(page, /<h2 id="listApps">/);
  assert.match(page, /<article class="entry" id="box\/listApps\/sorted">[\s\S]*Shows box\/listApps\/1/);
});
