import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Caller, fill, makeGround, makeStore, startGateway } from '../gateway.ts';
import type { Group, Row } from '../measure-row.ts';
import { startServer } from '../processes.ts';
import { changeMicros } from '../publish.ts';

const boxes = 32;
const nobody: Caller = { id: '', token: '' };

/** Durable publishing and unpublishing. Measures wall time, because most of it is spent waiting for the disk. */
export async function publishRows(): Promise<Group> {
  const ground = makeGround();
  await makeStore(ground);
  const callers = fill(ground.database, { boxes, callers: boxes, routes: { boxes, each: 1 } });
  const gateway = await startGateway(ground, '0,1');
  const folder = mkdtempSync(join(tmpdir(), 'boxgate-floor-'));
  const program = join(import.meta.dirname, '..', 'floors', 'durable.cjs');
  const floor = await startServer([process.execPath, '--no-warnings', program, folder], process.env, '0,1');

  const rowOf = (name: string, goal: number, connections: number): Row => ({
    name,
    floor: 'one durable row and one file written, synced, renamed, its directory synced',
    goal,
    unit: 'µs',
    round: async () => ({
      ours: await changeMicros(gateway, callers, { pairs: 20 * connections, connections }),
      floor: await changeMicros(floor, [nobody], { pairs: 20, connections: 1 }),
      disturbed: false,
    }),
  });
  return {
    rows: [rowOf('publish and unpublish, each', 1.6, 1), rowOf('publish and unpublish, 32 at once, each', 1, boxes)],
    close: async () => {
      await gateway.stop();
      await floor.stop();
      ground.dispose();
      rmSync(folder, { recursive: true });
    },
  };
}
