import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Outcome } from '../kernel/check.ts';
import type { Finding } from './memory.ts';
import type { Mutant } from './mutant.ts';
import type { Watched } from './plan.ts';
import type { Came } from './suites.ts';
import { tryMutant } from './trial-of-mutants.ts';

const mutant: Mutant = { id: '7', key: 'key 7', file: 'src/box/a.ts', line: 1, kind: 'Regex' };

/** Ten checks of the box that reach the mutant, the quickest first, and two that do not; outcomes by name. */
function trial(outcomes: Readonly<Record<string, Outcome[]>>, most = 60) {
  const watched: Watched[] = Array.from({ length: 12 }, (_, index) => ({
    check: { id: `box/${index}`, api: 'box', print: `p${index}` },
    milliseconds: index * 100,
    executed: new Set(index < 10 ? ['7'] : ['8']),
  }));
  const asked: string[] = [];
  const outcomeOf = (id: string): Outcome => {
    const [once = 'pass', ...later] = outcomes[id] ?? [];
    return later[asked.filter((one) => one === id).length - 2] ?? once;
  };
  const run = async (_: string, ids: readonly string[]): Promise<Came[]> => {
    asked.push(...ids);
    return ids.map((id) => ({ id, outcome: outcomeOf(id), reason: '', milliseconds: 1 }));
  };
  const program = { withMutant: (id: string) => ['node', `/nowhere/mutant-${id}.cjs`] };
  const experience = () => ({ tried: 0, noticed: 0 });
  const focus = () => 1;
  return { asked, options: { suites: { run }, program, watched, experience, focus, most } };
}

suite('the trial of a mutant', () => {
  test('ends with the first check that fails twice', async () => {
    const { asked, options } = trial({ 'box/2': ['fail'], 'box/4': ['fail'] });
    const finding = await tryMutant(mutant, options);
    assert.deepEqual(finding.noticedBy, { id: 'box/2', outcome: 'fail' });
    assert.deepEqual(asked, ['box/0', 'box/1', 'box/2', 'box/2']);
  });

  test('counts a check that runs out of time, and says so', async () => {
    const { options } = trial({ 'box/1': ['timeout'] });
    assert.deepEqual((await tryMutant(mutant, options)).noticedBy, { id: 'box/1', outcome: 'timeout' });
  });

  test('never counts a check that fails only once', async () => {
    const { asked, options } = trial({ 'box/1': ['fail', 'pass'], 'box/2': ['timeout', 'fail'] });
    const finding = await tryMutant(mutant, options);
    assert.deepEqual(finding.noticedBy, { id: 'box/2', outcome: 'fail' });
    assert.deepEqual(finding.passed, ['p0', 'p1']);
    assert.deepEqual(asked, ['box/0', 'box/1', 'box/1', 'box/2', 'box/2']);
  });

  test('never counts a check that breaks down itself', async () => {
    const { options } = trial({ 'box/1': ['suite-error'] });
    const finding = await tryMutant(mutant, options);
    assert.equal(finding.noticedBy, null);
    assert.deepEqual(finding.broke, ['box/1']);
    assert.equal(finding.passed.includes('p1'), false);
  });

  test('asks every check that reaches it before it says that none notices', async () => {
    const { asked, options } = trial({});
    const finding = await tryMutant(mutant, options);
    assert.equal(asked.length, 10);
    assert.deepEqual(finding, {
      key: 'key 7',
      noticedBy: null,
      passed: asked.map((id) => id.replace('box/', 'p')),
      broke: [],
    });
  });

  test('asks no check twice, and at most as many as it may', async () => {
    const { asked, options } = trial({}, 3);
    const known: Finding = { key: 'key 7', noticedBy: null, passed: ['p0', 'p2'], broke: [] };
    await tryMutant(mutant, options, known);
    assert.deepEqual(asked, ['box/1', 'box/3', 'box/4']);
  });

  test('asks none about a mutant that was noticed', async () => {
    const { asked, options } = trial({});
    const noticedBy = { id: 'box/3', outcome: 'fail' } as const;
    await tryMutant(mutant, options, { key: 'key 7', noticedBy, passed: [], broke: [] });
    assert.deepEqual(asked, []);
  });
});
