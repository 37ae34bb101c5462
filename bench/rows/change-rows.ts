import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { BoxEnvironment } from '../../fakes/box-environment.ts';
import { appName, request, startBox, worldOf } from '../box.ts';
import { askOnce } from '../load.ts';
import type { Group, Round, Row } from '../measure-row.ts';
import { type Server, timeCommand } from '../processes.ts';

const apps = 50;

/** How long an app without a health check must stay up before its change has succeeded. choice/box/275 */
const stayUpMs = 1000;

/** Changes on a box with fifty running apps, compared with the necessary container commands. */
export async function changeRows(): Promise<Group> {
  const world = worldOf(apps);
  const server = await startBox(world, '0,1');
  const ours = changesOf(server);
  await ours.settings('first'); // Starts all fifty apps.
  await ours.update(appName(9));
  await ours.settings('second');
  return {
    rows: rowsOf(ours, floorsOf(world)),
    close: async () => {
      await server.stop();
      world.dispose();
    },
  };
}

function rowsOf(ours: ReturnType<typeof changesOf>, floor: ReturnType<typeof floorsOf>): Row[] {
  return [
    row('reconcile, 50 apps, nothing changed', 'docker ps', 1.2, async () => ({
      ours: await ours.settings('second'),
      floor: await floor.listing(),
    })),
    row(
      'reconcile, 1 of 50 changed',
      'docker ps, compose up -d of that one, 1 s in which it stays up',
      1.5,
      async (n) => ({
        ours: await ours.settings(`greeting ${n}`),
        floor: (await floor.listing()) + (await floor.upChanged(`greeting ${n}`)) + stayUpMs,
      }),
    ),
    row(
      'install on a box with 50 apps',
      'copy, docker ps, compose up -d of that one, 1 s in which it stays up',
      1.3,
      async () => ({
        ours: await ours.install('newcomer'),
        floor: (await floor.install()) + stayUpMs,
      }),
    ),
    row('app update, nothing newer', 'docker compose pull -q of it', 2, async () => ({
      ours: await ours.update(appName(9)),
      floor: await floor.pull(appName(9)),
    })),
  ];
}

/**
 * Measures wall time, because most of it is spent in commands. The times are short and vary, so there are more rounds.
 */
function row(name: string, floor: string, goal: number, times: (n: number) => Promise<Omit<Round, 'disturbed'>>): Row {
  const round = async (n: number) => ({ ...(await times(n)), disturbed: false });
  return { name, floor, goal, unit: 'ms', rounds: (asked) => asked * 3, round };
}

/** Changes of the box; each returns its time. */
function changesOf({ port }: Server) {
  const post = async (path: string, body: unknown) => {
    const begin = performance.now();
    const answer = await askOnce(port, request('POST', path, JSON.stringify(body)));
    if (!/^HTTP\/1\.1 200 /.test(answer)) throw new Error(`${path}: ${answer.slice(0, 400)}`);
    return performance.now() - begin;
  };
  return {
    settings: (greeting: string) => post(`/api/apps/${appName(7)}/settings`, { settings: { GREETING: greeting } }),
    update: (name: string) => post(`/api/apps/${name}/update`, {}),
    install: async (name: string) => {
      const took = await post('/api/apps/install', { name, settings: { GREETING: 'hello' } });
      await post('/api/apps/remove', { name });
      return took;
    },
  };
}

/** For each change, the fewest container commands with the same effect. Each function returns its wall time. */
function floorsOf(world: BoxEnvironment) {
  const environment = world.env();
  const folder = (name: string) => join(world.installedApps, name);
  const listing = () => timeCommand(['docker', 'ps', '-a', '--no-trunc', '--format', 'json'], environment);
  const up = (cwd: string) => timeCommand(['docker', 'compose', 'up', '-d'], environment, cwd);
  const appOutside = copyOf(world, 'outside');
  return {
    listing,
    /** Changes an app in a folder that the box does not watch. Compose recreates its container. */
    upChanged: (greeting: string) => {
      writeFileSync(join(appOutside, '.env'), `GREETING=${greeting}\n`);
      return up(appOutside);
    },
    pull: (name: string) => timeCommand(['docker', 'compose', 'pull', '-q'], environment, folder(name)),
    install: async () => {
      const begin = performance.now();
      const copy = copyOf(world, 'copy');
      const copied = performance.now() - begin;
      const total = copied + (await listing()) + (await up(copy));
      await timeCommand(['docker', 'compose', 'down'], environment, copy);
      rmSync(copy, { recursive: true });
      return total;
    },
  };
}

/**
 * Copies the installable app to a folder that the box does not know. Compose uses that folder's name as the project.
 */
function copyOf(world: BoxEnvironment, project: string): string {
  const copy = join(world.root, 'floor', project);
  cpSync(join(world.bundledApps, 'newcomer'), copy, { recursive: true });
  cpSync(join(copy, '.env.example'), join(copy, '.env'));
  return copy;
}
