import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../../fakes/ports.ts';
import { type Check, check } from '../../../kernel/check.ts';
import { equal, refused, status } from '../../../kernel/expect.ts';
import { listensByDefault, listensOnHost, refusesFlag, refusesValue } from '../../process.ts';
import { rotated } from '../boxes/rotateBoxToken.ts';
import type { GatewayContext } from '../context.ts';
import { serves } from '../proxy.ts';
import { needsLastingStore, texts } from '../shared-fixture.ts';

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/process/host-and-port',
    ['gateway/process/1'],
    'listens on the configured host and port only',
    (gateway) => listensOnHost(gateway, 'GATEWAY_HOST', '/healthz'),
  ),
  ...(['GATEWAY_TUNNEL_URL', 'GATEWAY_TUNNEL_PASSWORD', 'GATEWAY_DOMAIN'] as const).map((name) =>
    check<GatewayContext>(
      `gateway/process/missing-${name.slice(8).toLowerCase().replace('_', '-')}`,
      ['gateway/process/20', 'gateway/process/33'],
      `exits at once with status 2 and one line that names ${name} if that is missing`,
      (gateway) => refusesValue(gateway, name, undefined),
    ),
  ),
  check(
    'gateway/process/default-address',
    ['gateway/process/2'],
    'listens on 127.0.0.1 port 8080 only, by default',
    (gateway) => listensByDefault(gateway, { prefix: 'GATEWAY', port: 8080, path: '/healthz' }),
  ),
  check('gateway/process/flag-wins', ['gateway/process/16'], 'prefers each flag to its variable', async (gateway) => {
    const { environment } = gateway;
    const { domain, root, routesDir, stateDir, traefik } = environment;
    const { url } = await environment.useManager({ dialect: '15.4', username: 'pilot' });
    const [asked, other, port] = [join(root, 'other-state'), join(root, 'other-routes'), await freePort()];
    for (const folder of [asked, other]) mkdirSync(folder);
    /** Each flag with its value, and the other value of its variable. */
    const settings = [
      ['host', '127.0.0.1', '127.0.0.3'],
      ['port', String(port), String(await freePort())],
      ['mode', 'single', 'multi'],
      ['state-dir', stateDir, asked],
      ['tunnel-url', url, 'http://127.0.0.1:9'],
      ['tunnel-username', 'pilot', 'nobody'],
      ['routes-dir', routesDir, other],
      ['domain', domain, 'other.example'],
      ['box-limit', '1', '3'],
      ['route-limit', '1', '3'],
      ['cert-resolver', 'wharf-letters', 'other'],
      ['entrypoint', 'seaside', 'websecure'],
    ] as const;
    await gateway.start({
      port,
      flags: settings.map(([flag, value]) => `--${flag}=${value}`),
      env: Object.fromEntries(
        settings.map(([flag, , value]) => [`GATEWAY_${flag.toUpperCase().replaceAll('-', '_')}`, value]),
      ),
    });
    const box = await gateway.box();
    const { host } = await gateway.route(box);
    refused(await gateway.register(), 403, texts.boxLimit);
    refused(await gateway.publish(box), 403, texts.routeLimit);
    await serves(gateway, [host]);
    const [router] = traefik.routers();
    equal('the entry points', router?.entryPoints, ['seaside']);
    equal('the certificate resolver', router?.tls?.certResolver, 'wharf-letters');
    equal('files in the state directory of the variable', readdirSync(asked), []);
    await gateway.stop();
    if (environment.store !== 'files') return;
    const file = join(root, 'of-the-variable');
    const env = { GATEWAY_STORE: `file:${file}`, GATEWAY_ROUTES_DIR: other };
    await gateway.start({ flags: ['--store=memory:'], env });
    await gateway.box();
    equal('the store of the variable is there', existsSync(file), false);
  }),
  check(
    'gateway/process/default-username',
    ['gateway/process/32'],
    'logs in as admin by default, or with the configured name',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_TUNNEL_USERNAME = undefined;
      await gateway.environment.useManager({ dialect: '15.4', username: 'admin' });
      (await gateway.box()).peer();
      await gateway.stop();
      gateway.environment.variables.GATEWAY_TUNNEL_USERNAME = 'somebody-else';
      await gateway.environment.useManager({ dialect: '15.4', username: 'somebody-else' });
      (await gateway.box()).peer();
    },
  ),
  check(
    'gateway/process/bad-value',
    ['gateway/process/20'],
    'exits at once with status 2 and one line that names the invalid variable or its flag',
    async (gateway) => {
      for (const [name, value] of [
        ['GATEWAY_PORT', 'eighty'],
        ['GATEWAY_PORT', '65536'],
        ['GATEWAY_BOX_LIMIT', 'many'],
        ['GATEWAY_ROUTE_LIMIT', '-1'],
        ['GATEWAY_TUNNEL_URL', 'not an address'],
        ['GATEWAY_STORE', 'cupboard:x'],
      ] as const) {
        await refusesValue(gateway, name, value);
      }
    },
    { timeoutMs: 60_000 },
  ),
  check(
    'gateway/process/unknown-flag',
    ['gateway/process/20', 'gateway/process/17'],
    'exits at once with status 2 and one line that names an unknown flag, and has no flags for secrets',
    async (gateway) => {
      for (const flag of ['--no-such-flag', '--box-token', '--tunnel-password']) await refusesFlag(gateway, flag);
    },
  ),
  check(
    'gateway/process/secret-files',
    ['gateway/process/17', 'gateway/auth/9'],
    'reads its secrets from the files that the variables ending in _FILE name, without a line end at their end',
    async (gateway) => {
      const { environment } = gateway;
      const fileOf = (name: string, secret: string) => {
        const file = join(environment.root, name);
        writeFileSync(file, secret);
        chmodSync(file, 0o600);
        return file;
      };
      // `echo secret >file` ends the file with a line end.
      for (const end of ['', '\n']) {
        Object.assign(environment.variables, {
          GATEWAY_BOX_TOKEN: undefined,
          GATEWAY_BOX_TOKEN_FILE: fileOf('box-token', `${environment.registrationToken}${end}`),
          GATEWAY_TUNNEL_PASSWORD: undefined,
          GATEWAY_TUNNEL_PASSWORD_FILE: fileOf('tunnel-password', `${environment.manager.password}${end}`),
        });
        await gateway.box();
        refused(await gateway.register({ registration_token: 'wrong' }), 401, texts.registrationToken);
        await gateway.stop();
      }
    },
  ),
  check(
    'gateway/process/state-directory',
    ['gateway/process/8', 'gateway/process/7', 'gateway/process/22', 'gateway/states/3', 'gateway/states/9'],
    'keeps everything in its state directory over a restart',
    async (gateway) => {
      needsLastingStore(gateway);
      const old = await gateway.box();
      const [gone, route] = [await gateway.route(old), await gateway.route(old)];
      status(await gateway.unpublish(old, gone.id), 200);
      const box = await rotated(gateway, old);
      const before = await gateway.routes(box);
      const ended = await gateway.stop();
      equal('exit status', ended.status, 0);
      await gateway.start();
      status(await gateway.heartbeat(box), 200);
      refused(await gateway.heartbeat(old), 401, texts.invalidToken);
      equal('routes', await gateway.routes(box), before);
      await serves(gateway, [route.host]);
      status(await gateway.unpublish(box, route.id), 200);
      status(await gateway.deregister(box), 200);
      await gateway.restart();
      refused(await gateway.heartbeat(box), 401, texts.invalidToken);
    },
  ),
];
