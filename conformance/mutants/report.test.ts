import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Finding } from './memory.ts';
import type { Mutant } from './mutant.ts';
import type { Watched } from './plan.ts';
import { section, summaryOf, table } from './report.ts';
import { triedBeginning } from './result.ts';
import type { Reason } from './survivors.ts';

const mutant = (id: string, file = 'src/box/a.ts'): Mutant => ({
  id,
  key: `${file} | ${id}`,
  file,
  line: 1,
  kind: 'Regex',
});
const mutants = ['1', '2', '3', '4'].map((id) => mutant(id));
const watched: Watched[] = [1, 2].map((index) => ({
  check: { id: `box/${index}`, api: 'box', print: `p${index}` },
  milliseconds: 1,
  executed: new Set(['1', '2', '4']),
}));
const finding = (id: string, rest: Partial<Finding>): Finding => ({
  key: mutant(id).key,
  noticedBy: null,
  passed: [],
  broke: [],
  ...rest,
});
const findings = new Map(
  [finding('1', { noticedBy: { id: 'box/1', outcome: 'timeout' } }), finding('2', { passed: ['p1'] })].map(
    (one) => [one.key, one],
  ),
);
const tried = triedBeginning(mutants, watched, findings);
const facts = { seed: 5, digest: 'abc', all: 400, ignored: { 'no use': 7 } };

const reasons = (...keys: string[]) =>
  new Map<string, Reason>(keys.map((key) => [key, { kind: 'the same server', words: 'so' } as const]));

suite('what was tried', () => {
  test('is the beginning of the sample, up to the first mutant that was not', () => {
    assert.deepEqual(
      tried.map(({ fate }) => fate),
      [
        { is: 'noticed', by: 'box/1', outcome: 'timeout' },
        { is: 'survives', passed: 1, left: 1 },
        { is: 'not reached' },
      ],
    );
  });
});

suite('the table', () => {
  const text = table(tried, facts, reasons('src/box/a.ts | 2'));

  test('tells size and certainty of the sample', () => {
    assert.match(text, /Of 400, a uniform sample of 3 was tried, and 1 of them are noticed: 33\.3 %/);
    assert.match(text, /between 6\.1 % and 79\.2 %, with 95 % certainty/);
    assert.match(section(tried, facts), /uniform sample of 3/);
  });

  test('tells whether the goal is reached', () => {
    const words =
      /The goal is 90\.0 %: of all of them it is not reached, of those .* it is not reached\. For 1 of the survivors/;
    for (const one of [text, section(tried, facts)]) assert.match(one, words);
  });

  test('counts apart those that nobody could tell, and never in place of all', () => {
    assert.match(text, /1 of the survivors are, .*; without those 1 of 2 are noticed: 50\.0 %/);
    const both = new Map(reasons('src/box/a.ts | 2')).set('src/box/a.ts | 3', {
      kind: 'not seen from outside',
      words: 'so',
    });
    assert.match(table(tried, facts, both), /1 of 1 are noticed: 100\.0 %/);
    assert.match(table(tried, facts, both), /: of all of them it is not reached, of those .* it is reached/);
    const open = new Map([['src/box/a.ts | 2', { kind: 'a check is missing', words: 'so' } as const]]);
    assert.match(table(tried, facts, open), /0 of the survivors are, .* 1 of 3 are noticed: 33\.3 %/);
  });

  test('tells what the first look showed, where there was one', () => {
    const firstLook = { tried: 3, noticed: 1, tellable: 2 };
    const words =
      /At the first look, .* 1 of 3 were noticed: 33\.3 %, .*; 1 of the 2 that .*: 50\.0 %, between/;
    for (const tell of [table, section]) {
      assert.match(tell(tried, { ...facts, firstLook }), words);
      assert.doesNotMatch(tell(tried, facts), /first look/);
    }
  });

  test('counts by part and by sort', () => {
    for (const name of ['`src/box`', 'Regex', 'all'])
      assert.ok(text.includes(`| ${name} | 3 | 1 | 1 | 1 | 1 | 33.3 % |`));
  });

  test('has every survivor with its reason, or says that it has none', () => {
    assert.ok(
      text.includes('| `src/box/a.ts \\| 2` | 1 checks pass, 1 were not tried | the same server: so |'),
    );
    assert.ok(text.includes('| `src/box/a.ts \\| 3` | no check reaches it | not looked at yet |'));
    assert.equal(text.includes('a.ts \\| 1'), false);
  });

  test('counts the survivors by the kind of their reason', () => {
    assert.match(text, /- the same server: 1\n.*\n.*\n- not looked at yet: 1\n/);
  });

  test('tells what was left out', () => assert.match(text, /- 7 changes: no use/));
});

suite('the summary', () => {
  test('holds from nine of ten on, when every survivor has a reason', () => {
    const noticed = Array.from({ length: 9 }, () => tried[0]).filter((one) => one !== undefined);
    const nine = [...noticed, ...tried.slice(2)];
    const reason = reasons('src/box/a.ts | 3');
    assert.equal(summaryOf(nine, facts, reason).holds, true);
    assert.equal(summaryOf(nine, facts, reasons()).holds, false);
    assert.equal(summaryOf([...nine, ...tried.slice(2)], facts, reason).holds, false);
    assert.equal(summaryOf([], facts, reasons()).holds, false);
  });

  test('names the survivors without a reason', () => {
    assert.deepEqual(summaryOf(tried, facts, reasons('src/box/a.ts | 2')).lines.slice(2), [
      'no reason: no check reaches it: src/box/a.ts | 3',
    ]);
  });
});
