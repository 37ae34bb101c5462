import { appName, request, startBox, startFloor, worldOf } from '../box.ts';
import { checkedAnswer, loadRow } from '../load.ts';
import type { Group, Row } from '../measure-row.ts';

const bytes = request('GET', '/api/apps');

/**
 * `GET /api/apps` with nothing changed. The floor sends the same bytes after one `readdir` and a `stat` of the two
 * files of each app.
 */
export async function listRows(): Promise<Group> {
  const closers: (() => Promise<void>)[] = [];
  const rows: Row[] = [];
  for (const [apps, goal] of [
    [10, 1 / 0.8],
    [100, 1 / 0.9],
    [1000, 1.3],
  ] as const) {
    const world = worldOf(apps);
    // Otherwise the box would start a thousand apps during the measurement.
    world.setTool('docker', false);
    const ours = await startBox(world);
    const answer = await checkedAnswer(ours.port, bytes, new RegExp(`"${appName(apps - 1)}"`));
    const floor = await startFloor(answer, { FLOOR_FOLDER: world.installedApps });
    const name = `GET /api/apps, ${apps} apps, nothing changed`;
    const floorName = 'the same bytes after one readdir and two stats an app';
    const sides = { load: { bytes }, ours, floor };
    rows.push(
      loadRow({ name: `${name}: time per request`, floor: floorName, goal, figure: 'wallMicros' }, sides),
      loadRow({ name: `${name}: CPU`, floor: floorName, goal, figure: 'cpuMicros' }, sides),
    );
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
