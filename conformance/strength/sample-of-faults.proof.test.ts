import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import type { AnyContext } from '../kernel/check.ts';
import { shuffle } from '../run/shuffle.ts';
import { boxFaults } from './box-faults.ts';
import type { FaultTable } from './fault.ts';
import { gatewayFaults } from './gateway-faults.ts';
import { tryFaults } from './trial.ts';

const size = Number(process.env.BOXGATE_FAULTS ?? 4);
const seed = Number(process.env.BOXGATE_FAULTS_SEED ?? 1);

// .ci tests that the implementations pass without a fault.
testSample(boxFaults);
testSample(gatewayFaults);

function testSample<Context extends AnyContext>(table: FaultTable<Context>): void {
  const title = `BOXGATE_FAULTS=${size} faults of the ${table.api.name}, BOXGATE_FAULTS_SEED=${seed}, are noticed`;
  test(title, async () => {
    const sample = shuffle(
      table.rows.filter(([, , , flag]) => flag !== 'hangs'),
      seed,
    ).slice(0, size);
    const verdicts = await tryFaults(table, sample, { jobs: availableParallelism() });
    assert.equal(verdicts.length, sample.length);
    assert.deepEqual(
      verdicts.filter(({ missed }) => missed.length > 0),
      [],
    );
  });
}
