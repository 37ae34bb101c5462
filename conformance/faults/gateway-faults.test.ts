import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { gatewayChecks } from '../checks/gateway/checks.ts';
import { shuffle } from '../run/runner.ts';
import { gatewayFaults } from './gateway-faults.ts';
import { tryGatewayFaults } from './trial-of-gateway-faults.ts';

const seed = Number(process.env.BOXGATE_FAULTS_SEED ?? 1);
/** A few where somebody waits for them; .ci/run tries more. */
const sampleSize = Number(process.env.BOXGATE_FAULTS ?? 4);

test('every fault has a name of its own and names a check that there is', () => {
  const names = gatewayFaults.map((fault) => fault.name);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
  const ids = new Set(gatewayChecks.map((check) => check.id));
  assert.deepEqual(
    gatewayFaults.filter((fault) => !ids.has(fault.kills)),
    [],
  );
});

test('every fault changes something', () => {
  const idle = gatewayFaults.filter((fault) =>
    Object.keys(fault).every((key) => ['name', 'kills'].includes(key)),
  );
  assert.deepEqual(idle, []);
});

test(`BOXGATE_FAULTS=${sampleSize} of them, chosen by BOXGATE_FAULTS_SEED=${seed}, are noticed`, async () => {
  const sample = shuffle(gatewayFaults, seed).slice(0, sampleSize);
  const verdicts = await tryGatewayFaults(sample, { jobs: availableParallelism() });
  assert.equal(verdicts.length, sampleSize);
  assert.deepEqual(
    verdicts
      .filter(({ isNoticed }) => !isNoticed)
      .map(({ fault, outcome }) => [fault.name, fault.kills, outcome]),
    [],
  );
});
