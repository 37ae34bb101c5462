import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { TooManyChanges } from '../ports.ts';
import { makeChanges } from './changes.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

test('choice/box/161: a hundred changes may wait, and one more is not taken', async () => {
  const changes = makeChanges(folder);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const taken = Array.from({ length: 100 }, (_, n) =>
    changes.run(async () => {
      await gate;
      return n;
    }),
  );
  await assert.rejects(
    changes.run(async () => 'one more'),
    TooManyChanges,
  );
  open();
  assert.deepEqual(await Promise.all(taken), [...taken.keys()]);
  assert.equal(await changes.run(async () => 'later'), 'later');
});

test('two boxes on one state directory change apps one after the other', async () => {
  const seen: string[] = [];
  const change = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(`${name} ends`);
  };
  const boxes = [makeChanges(folder), makeChanges(folder)];
  await Promise.all(boxes.flatMap((box, n) => [box.run(change(`${n}a`)), box.run(change(`${n}b`))]));
  for (let n = 0; n < seen.length; n += 2) assert.equal(seen[n + 1], seen[n]?.replace('begins', 'ends'), seen.join());
  assert.equal(seen.length, 8);
});
