import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareWork } from './share-work.ts';

test('calls share the work that is under way, also its error; a later call works again', async () => {
  const begun: PromiseWithResolvers<number>[] = [];
  const count = shareWork(() => {
    const one = Promise.withResolvers<number>();
    begun.push(one);
    return one.promise;
  });
  const failed = [count(), count()];
  begun[0]?.reject(new Error('no disk'));
  for (const one of failed) await assert.rejects(one, { message: 'no disk' });
  const later = [count(), count()];
  begun[1]?.resolve(7);
  assert.deepEqual([await Promise.all(later), begun.length], [[7, 7], 2]);
});
