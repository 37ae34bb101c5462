import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleContainer } from '../../testing/sample-container.ts';
import { stopTimeMs } from './container.ts';

test('services that depend on others stop before them; containers of one service stop together', () => {
  const container = (service: string, stopPeriodMs: number) => sampleContainer('notes', { service, stopPeriodMs });
  assert.equal(stopTimeMs([container('web', 10_000), container('web', 20_000), container('db', 90_000)]), 110_000);
  assert.equal(stopTimeMs([]), 0);
});
