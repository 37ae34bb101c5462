import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeSeal } from './session-seal.ts';

const text = '{"dialect":"15.4","cookie":"wg-easy=Fe26.2**secret"}';
const password = 'throw-away-Passw0rd';
const here = 'http://wg.example.test/ admin';

test('opens what it sealed, also in a later run', async () => {
  const seal = makeSeal(password, here);
  const sealed = await seal.seal(text);
  assert.equal(await seal.open(sealed), text);
  assert.equal(await makeSeal(password, here).open(new Uint8Array(sealed)), text);
});

test('shows nothing of the sealed text, and seals it differently each time', async () => {
  const seal = makeSeal(password, here);
  const [one, other] = [await seal.seal(text), await seal.seal(text)];
  assert.equal(Buffer.from(one).includes('secret'), false);
  assert.notDeepEqual(one, other);
});

test('does not open with another password or for another manager', async () => {
  const sealed = await makeSeal(password, here).seal(text);
  assert.equal(await makeSeal(`${password} `, here).open(sealed), null);
  assert.equal(await makeSeal(password, `${here} `).open(sealed), null);
});

describe('does not open damaged bytes', async () => {
  const sealed = await makeSeal(password, here).seal(text);
  const seal = makeSeal(password, here);
  for (const at of [0, 1, 16, 17, 28, 29, 44, 45, sealed.length - 1]) {
    test(`a bit at ${at}`, async () => {
      const damaged = Uint8Array.from(sealed);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      assert.equal(await seal.open(damaged), null);
    });
  }
  for (const length of [0, 1, 44, 45, sealed.length - 1]) {
    test(`the first ${length} bytes`, async () => assert.equal(await seal.open(sealed.subarray(0, length)), null));
  }
});
