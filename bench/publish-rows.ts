import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Caller, fill, makeGround, makeStore, startGateway } from './gateway.ts';
import { startServer } from './processes.ts';
import { changeMicros } from './publish.ts';
import type { Group, Row } from './rows.ts';

const boxes = 32;
const nobody: Caller = { id: '', token: '' };

/** Publishing and taking back, durable when it is answered. Wall times: most of them are spent waiting for the disk. */
export async function publishRows(): Promise<Group> {
  const ground = makeGround();
  await makeStore(ground);
  const callers = fill(ground.database, { boxes, callers: boxes, routes: { boxes, each: 1 } });
  const gateway = await startGateway(ground, '0,1');
  const folder = mkdtempSync(join(tmpdir(), 'boxgate-floor-'));
  const program = join(import.meta.dirname, 'floor-durable.cjs');
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
    rows: [
      rowOf('publish and unpublish, each', 1.3, 1),
      rowOf('publish and unpublish, 32 at once, each', 0.6, boxes),
    ],
    close: async () => {
      await gateway.stop();
      await floor.stop();
      ground.dispose();
      rmSync(folder, { recursive: true });
    },
  };
}
