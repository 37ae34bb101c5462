import assert from 'node:assert/strict';
import { test } from 'node:test';
import { citedIds, parseRegister } from './register.ts';

test('reads a rule, its level and its source, over several lines', () => {
  assert.deepEqual(parseRegister('- **box/icon/3** (must) [Icon rules]: starts\n  so.\n\nText.'), [
    {
      id: 'box/icon/3',
      level: 'must',
      reason: '',
      source: 'Icon rules',
      text: 'starts so.',
      checkedBy: 'suite',
      remark: '',
    },
  ]);
});

test('reads a should with what is lost without it, and a choice, with their questions', () => {
  const text =
    '- **should/box/7** (data\n  at stake) _How?_ So. Why: because. _Checked in unit tests._\n- **choice/box/8** _What?_ So. Why: because.\n';
  const should = { source: 'How?', text: 'So. Why: because.', checkedBy: 'unit', remark: 'Checked in unit tests.' };
  const choice = { source: 'What?', text: 'So. Why: because.', checkedBy: 'suite', remark: '' };
  assert.deepEqual(parseRegister(text), [
    { id: 'should/box/7', level: 'should', reason: 'data at stake', ...should },
    { id: 'choice/box/8', level: 'choice', reason: '', ...choice },
  ]);
});

test('reads the entries of both services', () => {
  const text = '- **gateway/rules/2** (must) [Rules]: so.\n- **choice/gateway/4** _How?_ So. Why: because.\n';
  assert.deepEqual(
    parseRegister(text).map(({ id, level }) => [id, level]),
    [
      ['gateway/rules/2', 'must'],
      ['choice/gateway/4', 'choice'],
    ],
  );
});

test('reads every remark', () => {
  const remarks = ['Checked in the browser.', 'Checked in the HTML.', 'Not checked: no way to.'];
  const text = remarks
    .map((remark, index) => `- **box/page/${index + 1}** (must) [P]: it does. _${remark}_\n`)
    .join('');
  assert.deepEqual(
    parseRegister(text).map((rule) => rule.checkedBy),
    ['browser', 'html', 'nothing'],
  );
});

for (const [what, entry] of [
  ['a level that does not exist', '- **box/icon/3** (may) [Icon rules]: text.'],
  ['no source', '- **box/icon/3** (must): text.'],
  ['a number with a leading zero', '- **box/icon/03** (must) [Icon rules]: text.'],
  ['an unknown remark', '- **box/icon/3** (must) [Icon rules]: text. _Checked by hand._'],
  ['no reason', '- **box/icon/3** (note) [Icon rules]: text. _Not checked:_'],
  ['a choice without a reason', '- **choice/box/7** _How?_ So.'],
  ['a choice without a question', '- **choice/box/7** So. Why: because.'],
] as const) {
  test(`refuses an entry with ${what}`, () => {
    assert.throws(() => parseRegister(entry));
  });
}

test('refuses a line that only starts like an entry', () => {
  assert.throws(() => parseRegister('- box/icon/3 (must) [Icon rules]: text.\n'));
  assert.throws(() => parseRegister('- gateway/rules/3 (must) [Rules]: text.\n'));
});

test('ignores list items that are not entries', () => {
  assert.deepEqual(parseRegister('- **must**: binds.\n- plain\n'), []);
});

test('finds ids in comments and expands ranges', () => {
  assert.deepEqual(citedIds('// box/icon/1-3, choice/box/12: (gateway/registerBox/6) choice/gateway/1-2'), [
    'box/icon/1',
    'box/icon/2',
    'box/icon/3',
    'choice/box/12',
    'gateway/registerBox/6',
    'choice/gateway/1',
    'choice/gateway/2',
  ]);
});

test('ignores paths and check names', () => {
  assert.deepEqual(citedIds('src/box/rules/1.ts ./box/page/2 box/body/invalid-json conformance/box/icon/3'), []);
});
