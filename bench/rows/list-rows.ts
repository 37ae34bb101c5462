import { appName, request, startBox, startFloor, worldOf } from '../box.ts';
import { askOnce, runLoad } from '../load.ts';
import type { Group, Row } from '../measure-row.ts';
import type { Server } from '../processes.ts';

const bytes = request('GET', '/api/apps');

/**
 * `GET /api/apps` with nothing changed. The floor sends the same bytes after one `readdir` and a `stat` of the two
 * files of each app.
 */
export async function listRows(): Promise<Group> {
  const closers: (() => Promise<void>)[] = [];
  const rows: Row[] = [];
  for (const apps of [100, 1000]) {
    const world = worldOf(apps);
    // Otherwise the box would start a thousand apps during the measurement.
    world.setTool('docker', false);
    const ours = await startBox(world);
    const answer = await askOnce(ours.port, bytes);
    if (!answer.includes(appName(apps - 1))) throw new Error('the list is not whole');
    const floor = await startFloor(answer, { FLOOR_FOLDER: world.installedApps });
    rows.push(rowOf(apps, ours, floor));
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

function rowOf(apps: number, ours: Server, floor: Server): Row {
  const load = { requests: apps === 1000 ? 50 : 200, connections: 1, bytes };
  return {
    name: `GET /api/apps, ${apps} apps, nothing changed: CPU`,
    floor: 'the same bytes after one readdir and two stats an app',
    goal: 1.3,
    unit: 'µs',
    round: async () => {
      const a = await runLoad(ours, load);
      const b = await runLoad(floor, load);
      return { ours: a.cpuMicros, floor: b.cpuMicros, disturbed: a.disturbed || b.disturbed };
    },
  };
}
