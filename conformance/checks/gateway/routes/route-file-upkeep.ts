import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, matches, pluck, record, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { startExpectingExit } from '../../../kernel/process.ts';
import type { GatewayContext, LiveBox } from '../context.ts';
import { fileOf, pathOf, routeFileStates, routeFiles, serves, servesAtOnce } from '../proxy.ts';
import { needsLastingStore, needsOwnStore, texts } from '../shared-fixture.ts';

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
    'gateway/route-files/changed-settings',
    ['choice/gateway/95', 'choice/gateway/574'],
    'rewrites the files at a start with other settings',
    async (gateway) => {
      const box = await gateway.box();
      const route = await gateway.route(box);
      await gateway.stop();
      needsLastingStore(gateway);
      Object.assign(gateway.environment.variables, {
        GATEWAY_CERT_RESOLVER: 'wharf-letters',
        GATEWAY_ENTRYPOINT: 'seaside',
        GATEWAY_DOMAIN: 'elsewhere.example',
      });
      await gateway.start();
      await servesAtOnce(gateway, [`${route.subdomain}.elsewhere.example`]);
      const [router] = gateway.environment.traefik.routers();
      equal('resolver', router?.tls?.certResolver, 'wharf-letters');
      equal('entry points', router?.entryPoints, ['seaside']);
      equal('host in the list', (await gateway.routes(box))[0]?.host, `${route.subdomain}.elsewhere.example`);
    },
  ),
  check(
    'gateway/route-files/foreign-files',
    ['should/gateway/97'],
    'never changes other files in the directory',
    (gateway) => keepsFiles(gateway, ['operator.yml', 'notes.txt', '.hidden.yml', 'operators/own.yml']),
  ),
  check(
    'gateway/route-files/similar-names',
    ['choice/gateway/90'],
    'never changes other files in the directory, whose names are similar to those of its own',
    (gateway) =>
      keepsFiles(gateway, ['boxgate.yml', 'Boxgate-box_1.yml', 'zz-boxgate-x.yml', 'operators/boxgate-box_1.yml']),
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
  check(
    'gateway/route-files/start-mends',
    ['choice/gateway/574'],
    'updates the directory before it is ready: writes missing and different files, removes its own obsolete ones',
    async (gateway) => {
      needsLastingStore(gateway);
      const boxes = [await gateway.box(), await gateway.box(), await gateway.box()] as const;
      for (const box of boxes) await gateway.route(box);
      const right = routeFileStates(gateway);
      await gateway.kill();
      const [kept, missing, differs] = boxes;
      rmSync(pathOf(gateway, missing));
      writeFileSync(pathOf(gateway, differs), 'http: {}\n');
      writeFileSync(join(gateway.environment.routesDir, 'boxgate-box_nobody.yml'), 'http: {}\n');
      await gateway.start();
      const now = routeFileStates(gateway);
      equal('files', Object.keys(now).sort(), Object.keys(right).sort());
      equal('the one that was right is untouched', now[fileOf(kept)], right[fileOf(kept)]);
      const text = (all: Record<string, string>, box: LiveBox) => all[fileOf(box)]?.split('\n').slice(1);
      for (const box of [missing, differs]) equal('the text', text(now, box), text(right, box));
    },
  ),
  check(
    'gateway/route-files/other-store',
    ['choice/gateway/99'],
    'does not start on the directory of another store, and changes nothing in it',
    async (gateway) => {
      needsOwnStore(gateway);
      await gateway.route(await gateway.box());
      await gateway.stop();
      const before = routeFileStates(gateway);
      const environment = { GATEWAY_STATE_DIR: join(gateway.environment.root, 'another-state') };
      const ended = await startExpectingExit(gateway.start, { env: environment });
      equal('exit status', ended.status, 1);
      matches('one line', ended.stderr, /^[^\n]*(store|belongs)[^\n]*\n$/i);
      equal('the files', routeFileStates(gateway), before);
    },
  ),
  check(
    'gateway/route-files/cannot-be-written',
    ['choice/gateway/88', 'choice/gateway/19'],
    'answers 500 if the file cannot be written, and does not store the route',
    async (gateway) => {
      const { routesDir } = gateway.environment;
      const box = await gateway.box();
      const subdomain = gateway.label();
      const away = `${routesDir}.away`;
      const { stderr } = gateway.subject();
      const before = stderr();
      renameSync(routesDir, away);
      const answer = await gateway.publish(box, { subdomain });
      refused(answer, 500);
      ensure('no path in the answer', !answer.text.includes(routesDir), record(answer));
      ensure('it is no unknown fault', !/internal error/.test(answer.text), record(answer));
      await until('the operator hears of it', () => stderr().length > before.length);
      renameSync(away, routesDir);
      equal('routes', await gateway.routes(box), []);
      status(await gateway.publish(box, { subdomain }), 201);
      equal('files', routeFiles(gateway), [fileOf(box)]);
    },
  ),
  check(
    'gateway/route-files/cannot-be-removed',
    ['choice/gateway/116'],
    'removes a box whose file cannot be removed, and keeps its peer and address for now',
    async (gateway) => {
      const box = await gateway.box();
      await gateway.route(box);
      const file = pathOf(gateway, box);
      rmSync(file);
      mkdirSync(join(file, 'within'), { recursive: true });
      status(await gateway.deregister(box), 200);
      refused(await gateway.heartbeat(box), 401, texts.invalidToken);
      equal('peers', gateway.environment.manager.clients(), [box.peer()]);
    },
  ),
  check(
    'gateway/route-files/before-the-box',
    ['choice/gateway/68'],
    'removes the file before the peer, whose address may be reassigned at once',
    async (gateway) => {
      const { manager } = gateway.environment;
      const box = await gateway.box();
      await gateway.route(box);
      const address = box.peer().address;
      manager.faults.script({ kind: 'slow', on: 'delete', delayMs: 500 });
      const answer = gateway.deregister(box);
      await until('the peer is gone', () => manager.clients().every((client) => client.address !== address));
      equal('files', routeFiles(gateway), []);
      refused(await gateway.heartbeat(box), 401, texts.invalidToken);
      status(await answer, 200);
    },
  ),
];
