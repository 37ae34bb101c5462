import { chmodSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../../../../fakes/ports.ts';
import { type Check, check, NotApplicable } from '../../../kernel/check.ts';
import type { StartOptions } from '../../../kernel/context.ts';
import { ensure, equal } from '../../../kernel/expect.ts';

import type { GatewayContext } from '../context.ts';
import { fileOf } from '../proxy.ts';
import { needsOwnStore } from '../shared-fixture.ts';
import { filesBelow, isDatabase } from './store-folder.ts';

const modeOf = (path: string) => (lstatSync(path).mode & 0o777).toString(8);

/** Starts the gateway with this umask, which the process inherits. */
async function startUnder(mask: number, gateway: GatewayContext, options: StartOptions = {}): Promise<void> {
  const port = await freePort();
  const before = process.umask(mask);
  const starting = gateway.start({ port, ...options });
  process.umask(before);
  await starting;
}

/** Whether others can read the file: its mode allows it, and the modes of all folders between it and `top` do. */
function othersCanRead(file: string, top: string): boolean {
  if ((lstatSync(file).mode & 0o004) === 0) return false;
  for (let folder = dirname(file); folder.startsWith(top); folder = dirname(folder))
    if ((lstatSync(folder).mode & 0o001) === 0) return false;
  return true;
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/store/private',
    ['should/gateway/569'],
    'keeps the files of its store from other users, with any umask',
    async (gateway) => {
      needsOwnStore(gateway);
      const { variables, root } = gateway.environment;
      variables.GATEWAY_ROUTES_DIR = undefined;
      for (const mask of [0o022, 0]) {
        const state = join(root, `state-${mask}`);
        variables.GATEWAY_STATE_DIR = state;
        await startUnder(mask, gateway);
        const name = `berth ${gateway.label()}`;
        await gateway.box(name);
        const holding = filesBelow(state).filter((file) => readFileSync(file).includes(name));
        ensure('a file holds the name of the box', holding.length > 0, filesBelow(state));
        equal(
          'files that others can read',
          holding.filter((file) => othersCanRead(file, state)),
          [],
        );
        await gateway.stop();
      }
    },
  ),
  check(
    'gateway/store/masks',
    ['choice/gateway/90', 'choice/gateway/111'],
    'lets the proxy read folders and files of routes, and nobody the store, with any umask',
    async (gateway) => {
      needsOwnStore(gateway);
      const { variables, root } = gateway.environment;
      variables.GATEWAY_ROUTES_DIR = undefined;
      for (const mask of [0o077, 0]) {
        const state = join(root, `mask-${mask}`, 'deep');
        variables.GATEWAY_STATE_DIR = state;
        await startUnder(mask, gateway);
        const box = await gateway.box();
        await gateway.route(box);
        const routes = join(state, 'routes');
        for (const folder of [state, routes]) equal(`mode of ${folder}`, modeOf(folder), '755');
        equal('mode of a route file', modeOf(join(routes, fileOf(box))), '644');
        const own = filesBelow(state).filter((file) => !file.startsWith(routes));
        ensure('there is a file', own.length > 0);
        for (const file of own) equal(`mode of ${file}`, modeOf(file), '600');
        await gateway.stop();
      }
    },
  ),
  check(
    'gateway/store/modes-that-were-changed',
    ['choice/gateway/111'],
    'makes a readable store private at its start, and keeps the modes of folders',
    async (gateway) => {
      needsOwnStore(gateway);
      const { stateDir, routesDir } = gateway.environment;
      await gateway.box();
      await gateway.stop();
      const files = filesBelow(stateDir).filter(isDatabase);
      if (files.length === 0) throw new NotApplicable('the store is no database of SQLite');
      for (const file of files) chmodSync(file, 0o644);
      for (const folder of [stateDir, routesDir]) chmodSync(folder, 0o750);
      writeFileSync(join(routesDir, 'operator.yml'), '# mine\n', { mode: 0o640 });
      await gateway.start();
      for (const file of files) equal(`mode of ${file}`, modeOf(file), '600');
      for (const folder of [stateDir, routesDir]) equal(`mode of ${folder}`, modeOf(folder), '750');
      equal('mode of a file of others', modeOf(join(routesDir, 'operator.yml')), '640');
    },
  ),
];
