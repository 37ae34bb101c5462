import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { appName, request, startBox, worldOf } from './box.ts';
import { askOnce, runLoad } from './load.ts';
import { type Group, quantile, type Row } from './rows.ts';

const requests = 200;

/** `GET /api/apps` with nothing changed, against one `readdir` and the `stat`s of the two files of each app. */
export async function listRows(): Promise<Group> {
  const closers: (() => Promise<void>)[] = [];
  const rows: Row[] = [];
  for (const apps of [10, 100, 1000]) {
    const world = worldOf(apps);
    const server = await startBox(world);
    closers.push(async () => {
      await server.stop();
      world.dispose();
    });
    const bytes = request('GET', '/api/apps');
    const answer = await askOnce(server.port, bytes);
    if (!answer.includes(appName(apps - 1))) throw new Error('the list is not whole');
    const warm = async () => {
      const load = await runLoad(server, { requests: apps === 1000 ? 50 : requests, connections: 1, bytes });
      return { ours: load.cpuMicros, floor: lookMicros(world.installedApps), disturbed: load.disturbed };
    };
    const cold = async () => {
      touchAll(world.installedApps);
      const load = await runLoad(server, { requests: 1, connections: 1, bytes });
      return { ours: load.cpuMicros, floor: lookMicros(world.installedApps), disturbed: load.disturbed };
    };
    const floor = 'one readdir and two stats an app';
    rows.push(
      { name: `GET /api/apps, ${apps} apps, warm: CPU`, floor, goal: 1.3, unit: 'µs', round: warm },
      {
        name: `GET /api/apps, ${apps} apps, all files touched: CPU`,
        floor,
        goal: 8,
        unit: 'µs',
        round: cold,
      },
    );
  }
  const close = async () => {
    for (const closer of closers) await closer();
  };
  return { rows, close };
}

/** The median of several looks, in this process: what the floor costs when its own code is warm. */
function lookMicros(folder: string): number {
  const looks = Array.from({ length: 15 }, () => {
    const begin = performance.now();
    for (const name of readdirSync(folder)) {
      statSync(join(folder, name, 'manifest.json'));
      statSync(join(folder, name, 'icon.svg'));
    }
    return (performance.now() - begin) * 1000;
  });
  return quantile(looks, 0.5);
}

function touchAll(folder: string) {
  const now = new Date();
  for (const name of readdirSync(folder)) {
    utimesSync(join(folder, name, 'manifest.json'), now, now);
    utimesSync(join(folder, name, 'icon.svg'), now, now);
  }
}
