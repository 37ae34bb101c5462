import assert from 'node:assert/strict';
import { test } from 'node:test';
import { portsWithSettings } from './ports-with-settings.ts';

const setting = { name: 'PORT', label: 'Port', description: '', type: 'number', required: false, default: '8080' };
const ports = (value: string, type = 'number') =>
  portsWithSettings(
    { ports: [8080, { port: 8080, label: 'Web' }, 22], settings: [{ ...setting, type }] },
    new Map([['PORT', value]]),
  );

test('a port that is the default of a number follows that setting', () => {
  assert.deepEqual(ports('8081'), [8081, { port: 8081, label: 'Web' }, 22]);
  for (const [value, type] of [
    ['', 'number'],
    ['x', 'number'],
    ['808080', 'number'],
    ['8081', 'text'],
  ] as const)
    assert.deepEqual(ports(value, type), [8080, { port: 8080, label: 'Web' }, 22]);
  assert.deepEqual(portsWithSettings({ ports: [8080], settings: [setting] }, new Map()), [8080]);
});
