import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { World } from '../fakes/world.ts';
import { appName, request, startBox, worldOf } from './box.ts';
import type { Group } from './http-rows.ts';
import { askOnce } from './load.ts';
import { timeCommand } from './processes.ts';

const apps = 50;

/** Changes on a box with fifty running apps, each against the container calls that cannot be left out. */
export async function changeRows(): Promise<Group> {
  const world = worldOf(apps);
  const server = await startBox(world);
  const post = async (path: string, body: unknown) => {
    const begin = performance.now();
    const answer = await askOnce(server.port, request('POST', path, JSON.stringify(body)));
    if (!/^HTTP\/1\.1 200 /.test(answer)) throw new Error(`${path}: ${answer.slice(0, 400)}`);
    return performance.now() - begin;
  };
  const settings = (greeting: string) =>
    post(`/api/apps/${appName(7)}/settings`, { settings: { GREETING: greeting } });
  await settings('first'); // Brings all fifty up.
  await post(`/api/apps/${appName(9)}/update`, {});
  const floor = floorsOf(world);
  const undisturbed = { disturbed: false };

  const unchanged = async () => ({
    ours: await settings('second'),
    floor: await floor.listing(),
    ...undisturbed,
  });
  const changed = async (n: number) => ({
    ours: await settings(`greeting ${n}`),
    floor: (await floor.listing()) + (await floor.up(appName(8), `greeting ${n}`)),
    ...undisturbed,
  });
  const install = async () => {
    const ours = await post('/api/apps/install', { name: 'newcomer', settings: { GREETING: 'hello' } });
    await post('/api/apps/remove', { name: 'newcomer' });
    return { ours, floor: await floor.install('newcomer'), ...undisturbed };
  };
  const update = async () => ({
    ours: await post(`/api/apps/${appName(9)}/update`, {}),
    floor: await floor.pull(appName(9)),
    ...undisturbed,
  });
  await settings('second');
  return {
    rows: [
      {
        name: 'reconcile, 50 apps, nothing changed',
        floor: 'docker ps',
        goal: 1.2,
        unit: 'ms',
        round: unchanged,
      },
      {
        name: 'reconcile, 1 of 50 changed',
        floor: 'docker ps and compose up -d of that one',
        goal: 1.15,
        unit: 'ms',
        round: changed,
      },
      {
        name: 'install on a box with 50 apps',
        floor: 'copy, docker ps, compose up -d of that one',
        goal: 1.3,
        unit: 'ms',
        round: install,
      },
      {
        name: 'app update, nothing newer',
        floor: 'docker compose pull -q of it',
        goal: 2,
        unit: 'ms',
        round: update,
      },
    ],
    close: async () => {
      await server.stop();
      world.dispose();
    },
  };
}

function floorsOf(world: World) {
  const environment = world.environment();
  const folder = (name: string) => join(world.installedApps, name);
  const listing = () => timeCommand(['docker', 'ps', '-a', '--no-trunc', '--format', 'json'], environment);
  const up = (name: string, greeting: string, cwd = folder(name)) =>
    timeCommand(['docker', 'compose', 'up', '-d'], { ...environment, GREETING: greeting }, cwd);
  return {
    listing,
    up,
    pull: (name: string) => timeCommand(['docker', 'compose', 'pull', '-q'], environment, folder(name)),
    install: async (name: string) => {
      const copy = join(world.root, 'copy', name);
      const begin = performance.now();
      cpSync(join(world.bundledApps, name), copy, { recursive: true });
      cpSync(join(copy, '.env.example'), join(copy, '.env'));
      const copied = performance.now() - begin;
      const total = copied + (await listing()) + (await up(name, 'hello', copy));
      await timeCommand(['docker', 'compose', 'down'], environment, copy);
      rmSync(copy, { recursive: true });
      return total;
    },
  };
}
