import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoundedCache } from './bounded-cache.ts';

describe('a bounded cache', () => {
  it('bounds its size and keeps entries in use', () => {
    const cache = new BoundedCache<number, string>(100, () => 1);
    cache.set(-1, 'in use');
    for (let key = 0; key < 10_000; key += 1) {
      cache.set(key, 'once');
      assert.equal(cache.get(-1), 'in use');
    }
    const kept = Array.from({ length: 10_000 }, (_, key) => cache.get(key)).filter(Boolean);
    assert.ok(kept.length <= 100, `${kept.length}`);
    assert.equal(cache.get(9_999), 'once');
  });

  it('deletes entries in both halves', () => {
    const cache = new BoundedCache<string, number>(4, () => 1);
    cache.set('old', 1);
    cache.set('a', 1);
    cache.set('young', 1);
    for (const key of ['old', 'young', 'unknown']) {
      cache.delete(key);
      assert.equal(cache.get(key), undefined);
    }
    assert.equal(cache.get('a'), 1);
  });

  it('returns the value that was set last', () => {
    const cache = new BoundedCache<string, number>(4, () => 1);
    cache.set('key', 1);
    cache.set('a', 1);
    cache.set('b', 1);
    cache.set('key', 2);
    assert.equal(cache.get('key'), 2);
    cache.set('key', 3);
    assert.equal(cache.get('key'), 3);
    cache.delete('key');
    assert.equal(cache.get('key'), undefined);
  });

  it('limits the total weight, and does not keep too heavy entries', () => {
    const cache = new BoundedCache<string, number[]>(20, (list) => list.length);
    cache.set('light', [1]);
    cache.set(
      'heavy',
      Array.from({ length: 11 }, () => 1),
    );
    assert.equal(cache.get('heavy'), undefined);
    assert.deepEqual(cache.get('light'), [1]);
    cache.set(
      'light',
      Array.from({ length: 11 }, () => 1),
    );
    assert.equal(cache.get('light'), undefined);
  });

  it('counts correctly after replacing and deleting', () => {
    const cache = new BoundedCache<string, number>(4, (weight) => weight);
    for (let round = 0; round < 100; round += 1) {
      cache.set('a', 1);
      cache.delete('a');
    }
    cache.set('kept', 1);
    cache.set('a', 1);
    assert.equal(cache.get('kept'), 1);
    assert.equal(cache.get('a'), 1);
  });
});
