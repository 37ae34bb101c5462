import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingHints } from './setting-hints.ts';

const read = (about: Record<string, unknown>) => settingHints({ name: 'A', type: 'text', default: null, ...about });
const generate = { length: 32, encoding: 'hex' };

for (const about of [
  {},
  { options: ['a', 'b', 'c'] },
  { type: 'boolean', options: ['on', 'off'], default: 'off' },
  { type: 'select', options: ['a'], default: '' },
  { type: 'password', generate },
  { type: 'password', generate: { length: 1024, encoding: 'base64' } },
  { advanced: true },
  { address: 'host' },
]) {
  test(`takes ${JSON.stringify(about)}`, () => {
    const { type: _, default: __, ...hints } = { type: '', default: '', ...about };
    assert.deepEqual(read(about), { hints, faults: [] });
  });
}

test('has no hint that is not advanced', () => {
  assert.deepEqual(read({ advanced: false }), { hints: {}, faults: [] });
});

for (const [about, hints, fault] of [
  [{ options: 'a' }, {}, /^setting A: options: expected a list of texts/],
  [{ options: [] }, {}, /expected a list of texts/],
  [{ options: ['a', 1] }, { options: ['a'] }, /expected a list of texts/],
  [{ type: 'boolean' }, {}, /a boolean needs two options/],
  [{ type: 'select' }, {}, /a select needs a list of options/],
  [{ type: 'select', options: ['a'], default: 'b' }, { options: ['a'] }, /its default is none of its options/],
  [{ generate }, {}, /it needs the type password/],
  [{ type: 'password', generate: true }, {}, /expected a length from 1 to 1024 and the encoding hex or base64/],
  [{ type: 'password', generate: { ...generate, length: 0 } }, {}, /expected a length/],
  [{ type: 'password', generate: { ...generate, length: 1025 } }, {}, /expected a length/],
  [{ type: 'password', generate: { ...generate, length: '32' } }, {}, /expected a length/],
  [{ type: 'password', generate: { ...generate, encoding: 'utf8' } }, {}, /expected a length/],
  [{ advanced: 'yes' }, {}, /advanced is ignored/],
  [{ address: 'port' }, {}, /address is ignored: expected url, host, protocol, ip$/],
] as const) {
  test(`names what has no effect in ${JSON.stringify(about)}`, () => {
    const found = read(about);
    assert.deepEqual(found.hints, hints);
    assert.equal(found.faults.length, 1);
    assert.match(found.faults[0] ?? '', fault);
  });
}
