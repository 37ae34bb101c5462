import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { appName, request, startBox, startFloor, worldOf } from '../box.ts';
import { askOnce, runLoad } from '../load.ts';
import type { Group, Row } from '../measure-row.ts';
import type { Server } from '../processes.ts';

const bytes = request('GET', '/api/apps');

/**
 * `GET /api/apps` with nothing changed, and with every file touched. The floor sends the same bytes after one `readdir`
 * and a `stat` of the two files of each app.
 */
export async function listRows(): Promise<Group> {
  const closers: (() => Promise<void>)[] = [];
  const rows: Row[] = [];
  for (const apps of [10, 100, 1000]) {
    const world = worldOf(apps);
    // Otherwise the box would start a thousand apps during the measurement.
    world.setTool('docker', false);
    const ours = await startBox(world);
    const answer = await askOnce(ours.port, bytes);
    if (!answer.includes(appName(apps - 1))) throw new Error('the list is not whole');
    const floor = await startFloor(answer, { FLOOR_FOLDER: world.installedApps });
    rows.push(...rowsOf(apps, world.installedApps, ours, floor));
    closers.push(async () => {
      await ours.stop();
      await floor.stop();
      world.dispose();
    });
  }
  const close = async () => {
    for (const closer of closers) await closer();
  };
  return { rows, close };
}

function rowsOf(apps: number, folder: string, ours: Server, floor: Server): Row[] {
  const both = async (requests: number) => {
    const a = await runLoad(ours, { requests, connections: 1, bytes });
    const b = await runLoad(floor, { requests, connections: 1, bytes });
    return { ours: a.cpuMicros, floor: b.cpuMicros, disturbed: a.disturbed || b.disturbed };
  };
  const row = { floor: 'the same bytes after one readdir and two stats an app', unit: 'µs' };
  return [
    {
      ...row,
      name: `GET /api/apps, ${apps} apps, warm: CPU`,
      goal: 1.3,
      round: () => both(apps === 1000 ? 50 : 200),
    },
    {
      ...row,
      name: `GET /api/apps, ${apps} apps, all files touched: CPU`,
      goal: 8,
      round: () => {
        touchAll(folder);
        return both(1);
      },
    },
  ];
}

function touchAll(folder: string) {
  const now = new Date();
  for (const name of readdirSync(folder)) {
    utimesSync(join(folder, name, 'manifest.json'), now, now);
    utimesSync(join(folder, name, 'icon.svg'), now, now);
  }
}
