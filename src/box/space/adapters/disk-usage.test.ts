import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disksOf } from './disk-usage.ts';

test('waits for a file system that does not answer only once, and leaves it out', async () => {
  const asked: string[] = [];
  const nas = Promise.withResolvers<{ device: number; use: string; free: number; size: number }>();
  const look = ({ use, path }: { use: string; path: string }) => {
    asked.push(path);
    return path === '/nas' ? nas.promise : Promise.resolve({ device: 1, use, free: 1, size: 2 });
  };
  const folders = ['/nas', '/apps', '/state'].map((path) => ({ use: path, path }));
  const local = [{ uses: ['/apps', '/state'], free: 1, size: 2 }];
  for (const _ of [1, 2]) assert.deepEqual(await disksOf(folders, { look, withinMs: 20 }), local);
  assert.deepEqual(asked, ['/nas', '/apps', '/state', '/apps', '/state']);
  nas.resolve({ device: 2, use: '/nas', free: 3, size: 4 });
  assert.equal((await disksOf(folders, { look })).length, 2);
});
