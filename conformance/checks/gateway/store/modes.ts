import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../../../../fakes/ports.ts';
import { type Check, check } from '../../../kernel/check.ts';
import type { StartOptions } from '../../../kernel/context.ts';
import { ensure, equal } from '../../../kernel/expect.ts';

import type { GatewayContext } from '../context.ts';
import { needsOwnStore } from '../shared-fixture.ts';
import { filesBelow } from './store-folder.ts';

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
];
