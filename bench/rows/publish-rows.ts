import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fill, makeGround, makeStore, startGateway } from '../gateway.ts';
import type { Group, Row } from '../measure-row.ts';
import { changeMicros } from '../publish.ts';

const boxes = 32;

/** Durable publishing and unpublishing. Measures wall time, because most of it is spent waiting for the disk. */
export async function publishRows(): Promise<Group> {
  const ground = makeGround();
  await makeStore(ground);
  const callers = fill(ground.database, { boxes, callers: boxes, routes: { boxes, each: 1 } });
  const gateway = await startGateway(ground, '0,1');
  const folder = mkdtempSync(join(tmpdir(), 'boxgate-floor-'));

  const rowOf = (name: string, goal: number, connections: number): Row => ({
    name,
    floor: 'one file written, synced, renamed, its directory synced',
    goal,
    unit: 'µs',
    // About a second each: the first changes after a pause cost more on both sides.
    round: async () => ({
      ours: await changeMicros(gateway, callers, { pairs: 600, connections }),
      floor: syncedFileMicros(folder, 2000),
      disturbed: false,
    }),
  });
  return {
    rows: [rowOf('publish and unpublish, each', 2.6, 1), rowOf('publish and unpublish, 32 at once, each', 1, boxes)],
    close: async () => {
      await gateway.stop();
      ground.dispose();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Time to make one file of the length of a route file durable, in µs. */
function syncedFileMicros(folder: string, count: number): number {
  const path = join(folder, 'route.yml');
  const begin = performance.now();
  for (let n = 0; n < count; n += 1) {
    writeFileSync(`${path}.tmp`, 'http:\n'.padEnd(600, '#'), { flush: true });
    renameSync(`${path}.tmp`, path);
    const directory = openSync(folder, 'r');
    fsyncSync(directory);
    closeSync(directory);
  }
  return ((performance.now() - begin) * 1000) / count;
}
