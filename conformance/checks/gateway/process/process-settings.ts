import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check, NotApplicable } from '../../../kernel/check.ts';
import { sendRequest } from '../../../kernel/exchange.ts';
import { equal, matches, refused, status } from '../../../kernel/expect.ts';
import { startExpectingExit, withMachineLock } from '../../../kernel/process.ts';
import { acceptsConnections } from '../../../kernel/subject.ts';
import { rotated } from '../boxes/rotateBoxToken.ts';
import type { GatewayContext } from '../context.ts';
import { serves } from '../proxy.ts';
import { needsLastingStore, texts } from '../shared-fixture.ts';

const flagOf = (variable: string) => variable.toLowerCase().replace('gateway_', '--').replaceAll('_', '-');

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/process/host-and-port',
    ['gateway/process/1'],
    'listens on the host and port that it is given, and not on others',
    async (gateway) => {
      const { port } = await gateway.start({ host: '127.0.0.3', env: { GATEWAY_HOST: '127.0.0.3' } });
      status(await sendRequest(port, { method: 'GET', path: '/healthz', host: '127.0.0.3' }), 200);
      equal('127.0.0.1 answers too', await acceptsConnections('127.0.0.1', port), false);
    },
  ),
  ...(['GATEWAY_TUNNEL_URL', 'GATEWAY_TUNNEL_PASSWORD', 'GATEWAY_DOMAIN'] as const).map((name) =>
    check<GatewayContext>(
      `gateway/process/missing-${name.slice(8).toLowerCase().replace('_', '-')}`,
      ['gateway/process/20', 'gateway/process/33'],
      `ends at once with status 2 and one line that names ${name} when that is missing`,
      async (gateway) => {
        const ended = await startExpectingExit(gateway.start, { env: { [name]: undefined } });
        equal('exit status', ended.status, 2);
        const said = new RegExp(`^[^\\n]*(${name}|${flagOf(name)})[^\\n]*\\n$`);
        matches('one line on standard error', ended.stderr, said);
      },
    ),
  ),
  check(
    'gateway/process/default-address',
    ['gateway/process/2'],
    'listens on 127.0.0.1 port 8080, and there only, when nothing is set',
    async (gateway) => {
      await withMachineLock('port 8080', async () => {
        if (await acceptsConnections('127.0.0.1', 8080))
          throw new NotApplicable('port 8080 of this machine is taken');
        const environment = { GATEWAY_HOST: undefined, GATEWAY_PORT: undefined };
        await gateway.start({ port: 8080, env: environment });
        status(await gateway.get('/healthz'), 200);
        equal('127.0.0.2 answers too', await acceptsConnections('127.0.0.2', 8080), false);
        await gateway.kill();
      });
    },
  ),
  check(
    'gateway/process/flag-wins',
    ['gateway/process/16'],
    'goes by the flag where a variable says otherwise',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '3';
      await gateway.start({ flags: ['--box-limit=1'] });
      await gateway.box();
      refused(await gateway.register(), 403, texts.boxLimit);
    },
  ),
  check(
    'gateway/process/default-username',
    ['gateway/process/32'],
    'logs in as admin where no name is set, and with the name that is',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_TUNNEL_USERNAME = undefined;
      await gateway.environment.useManager({ dialect: '15.3', username: 'admin' });
      (await gateway.box()).peer();
      await gateway.stop();
      gateway.environment.variables.GATEWAY_TUNNEL_USERNAME = 'somebody-else';
      await gateway.environment.useManager({ dialect: '15.1', username: 'somebody-else' });
      (await gateway.box()).peer();
    },
  ),
  check(
    'gateway/process/domain',
    ['choice/gateway/115'],
    'reads its domain in lower case, and ends with status 2 when it is no host name',
    async (gateway) => {
      for (const domain of [
        'a b',
        'x`)||Host(`y',
        '-a.example',
        'a..example',
        'ä.example',
        '{{x}}',
        'a/b',
        '.',
      ]) {
        const ended = await startExpectingExit(gateway.start, { env: { GATEWAY_DOMAIN: domain } });
        equal(`exit status for ${domain}`, ended.status, 2);
        matches('one line on standard error', ended.stderr, /^[^\n]*GATEWAY_DOMAIN[^\n]*\n$/);
      }
      gateway.environment.variables.GATEWAY_DOMAIN = 'Harbour.EXAMPLE';
      const { subdomain } = await gateway.route(await gateway.box());
      await serves(gateway, [`${subdomain}.harbour.example`]);
    },
    { timeoutMs: 60_000 },
  ),
  check(
    'gateway/process/bad-value',
    ['gateway/process/20'],
    'ends at once with status 2 and one line that names the variable or its flag when its value means nothing',
    async (gateway) => {
      for (const [name, value] of [
        ['GATEWAY_PORT', 'eighty'],
        ['GATEWAY_PORT', '65536'],
        ['GATEWAY_BOX_LIMIT', 'many'],
        ['GATEWAY_ROUTE_LIMIT', '-1'],
        ['GATEWAY_TUNNEL_URL', 'not an address'],
        ['GATEWAY_STORE', 'cupboard:x'],
      ] as const) {
        const ended = await startExpectingExit(gateway.start, { env: { [name]: value } });
        equal(`exit status for ${name}=${value}`, ended.status, 2);
        const said = new RegExp(`^[^\\n]*(${name}|${flagOf(name)})[^\\n]*\\n$`);
        matches('one line on standard error', ended.stderr, said);
      }
    },
    { timeoutMs: 60_000 },
  ),
  check(
    'gateway/process/unknown-flag',
    ['gateway/process/20', 'gateway/process/17'],
    'ends at once with status 2 and one line that names a flag that it does not know; a secret has none',
    async (gateway) => {
      for (const flag of ['--no-such-flag', '--box-token', '--tunnel-password']) {
        const ended = await startExpectingExit(gateway.start, { flags: [`${flag}=x`] });
        equal(`exit status for ${flag}`, ended.status, 2);
        matches('one line on standard error', ended.stderr, new RegExp(`^[^\\n]*${flag}[^\\n]*\\n$`));
      }
    },
  ),
  check(
    'gateway/process/secret-files',
    ['gateway/process/17', 'gateway/auth/9'],
    'takes its secrets from the files that the variables ending in _FILE name',
    async (gateway) => {
      const { environment } = gateway;
      const fileOf = (name: string, secret: string) => {
        const file = join(environment.root, name);
        writeFileSync(file, secret);
        chmodSync(file, 0o600);
        return file;
      };
      Object.assign(environment.variables, {
        GATEWAY_BOX_TOKEN: undefined,
        GATEWAY_BOX_TOKEN_FILE: fileOf('box-token', `${environment.registrationToken}\n`),
        GATEWAY_TUNNEL_PASSWORD: undefined,
        GATEWAY_TUNNEL_PASSWORD_FILE: fileOf('tunnel-password', environment.manager.password),
      });
      await gateway.box();
      refused(await gateway.register({ registration_token: 'wrong' }), 401, texts.registrationToken);
    },
  ),
  check(
    'gateway/process/state-directory',
    ['gateway/process/8', 'gateway/process/7', 'gateway/process/22', 'gateway/states/3', 'gateway/states/9'],
    'keeps what it knows in its state directory, over a stop and another start',
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
