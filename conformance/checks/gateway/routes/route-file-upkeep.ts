import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { equal, pluck, status } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { routeFiles, serves } from '../proxy.ts';
import { needsLastingStore } from '../shared-fixture.ts';

/** Verifies that the gateway never changes the files of an operator. */
async function keepsFiles(gateway: GatewayContext, names: string[]): Promise<void> {
  const files = names.map((name) => join(gateway.environment.routesDir, name));
  for (const file of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `# ${file}\n`);
  }
  const states = () => files.map((file) => `${statSync(file).ino} ${readFileSync(file, 'utf8')}`);
  const before = states();
  const box = await gateway.box();
  const route = await gateway.route(box);
  equal('after a publish', states(), before);
  status(await gateway.unpublish(box, route.id), 200);
  status(await gateway.deregister(box), 200);
  await gateway.restart();
  equal('after a restart', states(), before);
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/route-files/foreign-files',
    ['should/gateway/97'],
    'never changes other files in the directory',
    (gateway) => keepsFiles(gateway, ['operator.yml', 'notes.txt', '.hidden.yml', 'operators/own.yml']),
  ),
  check(
    'gateway/route-files/start-repairs',
    ['should/gateway/98'],
    'serves the routes of its store after a start, whatever happened to the routes directory',
    async (gateway) => {
      needsLastingStore(gateway);
      const { routesDir } = gateway.environment;
      const [gone, changed, lost] = [await gateway.box(), await gateway.box(), await gateway.box()];
      const old = [await gateway.route(gone), await gateway.route(changed)] as const;
      await serves(gateway, pluck(old, 'host') as string[]);
      const early = routeFiles(gateway).map((name) => [name, readFileSync(join(routesDir, name))] as const);
      status(await gateway.deregister(gone), 200);
      status(await gateway.unpublish(changed, old[1].id), 200);
      const hosts = [(await gateway.route(changed)).host, (await gateway.route(lost)).host];
      await serves(gateway, hosts);
      await gateway.kill();
      // As if the directory came from a backup.
      for (const name of routeFiles(gateway)) rmSync(join(routesDir, name));
      for (const [name, bytes] of early) writeFileSync(join(routesDir, name), bytes);
      await gateway.start();
      await serves(gateway, hosts);
    },
  ),
];
