import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { suite, test } from 'node:test';
import { shuffle } from '../run/runner.ts';
import { boxFaults, unbroken } from './box-faults.ts';
import { checkedMusts } from './box-strength.ts';
import { staleChanges } from './faulty-box.ts';
import { checksOf, survived, tryFaults } from './trial-of-faults.ts';

const seed = Number(process.env.BOXGATE_FAULTS_SEED ?? 1);
/** A few where somebody waits for them; .ci/run tries more. */
const sampleSize = Number(process.env.BOXGATE_FAULTS ?? 4);

suite('the faulty boxes', () => {
  test('each has a name of its own', () => {
    const names = boxFaults.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });

  test('each changes what still stands exactly once in our sources', () => {
    assert.deepEqual(boxFaults.flatMap(staleChanges), []);
  });

  test('break every must that the suite checks, or a reason says why none can', () => {
    const musts = checkedMusts();
    const broken = new Set(boxFaults.flatMap(({ kills }) => kills));
    assert.deepEqual(
      [...broken].filter(
        (id) => !musts.includes(id) && !(id.startsWith('choice/') && checksOf([id]).length > 0),
      ),
      [],
      'each breaks what some check cites',
    );
    assert.deepEqual(
      musts.filter((id) => !broken.has(id)),
      Object.keys(unbroken),
    );
  });

  test(`are noticed: BOXGATE_FAULTS=${sampleSize} of them, chosen by BOXGATE_FAULTS_SEED=${seed}`, async () => {
    // Of those that few checks decide; all of them take minutes, by npm run faults:box.
    const quick = boxFaults.filter(({ kills, hangs }) => !hangs && checksOf(kills).length <= 3);
    const sample = shuffle(quick, seed)
      .filter(({ kills }) => !checksOf(kills).some(({ id }) => id === 'box/process/default-address'))
      .slice(0, sampleSize);
    const verdicts = await tryFaults(sample, { jobs: availableParallelism(), seed });
    const missed = verdicts.filter((verdict) => survived(verdict).length > 0);
    assert.equal(verdicts.length, sampleSize);
    assert.deepEqual(
      missed.map((verdict) => [verdict.fault.name, ...survived(verdict), ...verdict.others]),
      [],
    );
  });
});
