import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewayChecks } from '../gateway/checks.ts';
import { gatewayFaults } from './gateway-faults.ts';

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
