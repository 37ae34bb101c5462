import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Mutant } from './mutant.ts';
import {
  checksThatReach,
  type Experience,
  inGroups,
  inOrder,
  makeFocus,
  sample,
  type Watched,
} from './plan.ts';

const mutant = (id: string, file = 'src/box/a.ts'): Mutant => ({
  id,
  key: `key ${id}`,
  file,
  line: 1,
  kind: 'Regex',
});
const watched = (id: string, milliseconds: number, ...executed: string[]): Watched => ({
  check: { id, api: id.startsWith('gateway/') ? 'gateway' : 'box', print: `print of ${id}` },
  milliseconds,
  executed: new Set(executed),
});
const none: Experience = () => ({ tried: 0, noticed: 0 });
const ids = (list: readonly Watched[]) => list.map(({ check }) => check.id);

suite('the plan', () => {
  const many = Array.from({ length: 40 }, (_, index) => mutant(String(index)));

  test('takes the same sample for the same seed, in whatever order the mutants come', () => {
    assert.deepEqual(sample(many, 3), sample(many.toReversed(), 3));
    assert.notDeepEqual(sample(many, 3), sample(many, 4));
  });

  test('takes every mutant once', () => {
    assert.deepEqual(new Set(sample(many, 3)), new Set(many));
    assert.equal(sample(many, 3).length, many.length);
  });

  test('keeps the order of the others when one comes or goes', () => {
    const [gone] = sample(many, 3);
    assert.deepEqual(
      sample(
        many.filter((one) => one !== gone),
        3,
      ),
      sample(many, 3).slice(1),
    );
  });

  test('takes only mutants of the files that are asked for', () => {
    const other = mutant('x', 'src/http/b.ts');
    assert.deepEqual(sample([...many, other], 1, 'src/http/'), [other]);
  });

  test('asks only checks whose server executes the mutant', () => {
    const all = [watched('box/a', 1, '1', '2'), watched('box/b', 1, '2'), watched('box/c', 1)];
    assert.deepEqual(ids(checksThatReach(mutant('1'), all)), ['box/a']);
  });

  test('sees what a check is about: what few others execute, and little else', () => {
    const all = [
      watched('box/wide', 1, 'start', 'f1', 'f2', 'g1', 'g2', 'g3', 'g4'),
      watched('box/narrow', 1, 'start', 'f1', 'f2'),
      watched('box/other', 1, 'start', 'g1', 'g2'),
      watched('box/none', 1, 'start'),
    ];
    const focus = makeFocus(all);
    const values = all.map((one) => focus(one, ['start', 'f1', 'f2']));
    const [wide = 0, narrow = 0, other, none] = values;
    assert.ok(narrow > wide && wide > 0, String(values));
    assert.deepEqual([other, none], [0, 0]);
  });

  test('asks first who is about the file, and who is quick', () => {
    const blurred = watched('box/blurred', 500, '1');
    const sharp = watched('box/sharp', 500, '1');
    const slow = watched('box/slow', 20_000, '1');
    const focus = (one: Watched) => (one === blurred ? 0.5 : 1);
    assert.deepEqual(ids(inOrder([slow, blurred, sharp], 'f', focus, none)), [
      'box/sharp',
      'box/blurred',
      'box/slow',
    ]);
  });

  test('asks first who noticed most in the same file', () => {
    const all = [watched('box/a', 500, '1'), watched('box/b', 500, '1')];
    const experience: Experience = (id, file) =>
      id === 'box/b' && file === 'f' ? { tried: 10, noticed: 9 } : { tried: 10, noticed: 0 };
    const focus = () => 0;
    assert.deepEqual(ids(inOrder(all, 'f', focus, experience)), ['box/b', 'box/a']);
    assert.deepEqual(ids(inOrder(all, 'g', focus, experience)), ['box/a', 'box/b']);
  });

  test('starts with single checks, and never mixes the suites of a group', () => {
    const box = Array.from({ length: 20 }, (_, index) => watched(`box/${index}`, 1).check);
    const gateway = Array.from({ length: 5 }, (_, index) => watched(`gateway/${index}`, 1).check);
    const groups = inGroups([...box, ...gateway]);
    assert.deepEqual(
      groups.map((group) => group.length),
      [1, 1, 1, 1, 1, 1, 8, 6, 5],
    );
    assert.deepEqual(new Set(groups.flat()), new Set([...box, ...gateway]));
    for (const group of groups) assert.equal(new Set(group.map(({ api }) => api)).size, 1);
  });
});
