import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText, coverage, exchange, facts, result, ruleIds } from '../testing/results.ts';
import { htmlReport } from './html.ts';
import { escapeHtml } from './markup.ts';

// A fixed seed, so that the build does not fail by chance.
fc.configureGlobal({ seed: 20261121 });

const [rule = '', other = ''] = ruleIds;
const failed = { ...result('bad', [rule, other], 'fail'), reason: 'expected: 1', exchanges: [exchange] };

test('has every requirement, and every check below the first requirement that it cites', () => {
  const text = htmlReport([result('good', [rule], 'pass'), failed], facts);
  for (const { id, text: sentence } of facts.rules.values()) {
    assert.ok(text.includes(`id="${id}"`), id);
    const words = escapeHtml(sentence).replace(/`([^`]+)`/g, '<code>$1</code>');
    assert.ok(text.includes(words), id);
  }
  assert.equal(text.match(/id="check:box\/test\/bad"/g)?.length, 1);
  assert.match(text, /GET \/api\/apps HTTP\/1\.1/);
});

test('has each id once, and only links with a target', () => {
  const text = htmlReport([result('good', [rule], 'pass'), failed], { ...facts, coverage });
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const [, link = ''] of text.matchAll(/href="([^"]*)"/g)) {
    assert.ok(link.startsWith('#') && ids.includes(link.slice(1)), link);
  }
});

test('refers to no other resource', () => {
  const text = htmlReport([failed], { ...facts, coverage });
  assert.doesNotMatch(text, /\s(?:src|action|srcset|poster|data)=|@import|url\(/);
  assert.match(text, /default-src &#39;none&#39;/);
});

test('escapes everything that an implementation sends', () => {
  const whole = fc.oneof(anyText(), fc.constantFrom('<script>', '"><b', '</pre>', "'", '&lt;'));
  fc.assert(
    fc.property(whole, anyText(), (hostile, more) => {
      const bad = `<i x="'>${hostile}${more}`;
      const results = [
        {
          ...failed,
          reason: bad,
          exchanges: [{ ...exchange, path: bad, body: bad, headers: { [bad]: bad }, request_body: bad }],
        },
      ];
      const text = htmlReport(results, { ...facts, exec: bad });
      assert.ok(!text.includes(`<i x="'>`));
      assert.ok(text.includes(escapeHtml(bad)));
      const escaped = escapeHtml(bad).replace(/&(?:amp|lt|gt|quot|#39);/g, '');
      assert.doesNotMatch(escaped, /[&<>"'\u202e]/);
    }),
    { numRuns: 30 },
  );
});

test('lists the gaps of the coverage with their reasons', () => {
  const text = htmlReport([failed], { ...facts, coverage });
  assert.match(text, /listApps 500<\/span> nobody can bring it about/);
});
