import { connect } from 'node:net';
import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { ensure, equal, hasKeys, matches, record, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { GatewayContext, LiveBox } from '../context.ts';
import { objectWith, shared, shownField, texts } from '../shared-fixture.ts';

/** The box name in the registration response: `box_name`, or the `name` next to the id of the box. */
function shownName({ answer, id }: LiveBox): unknown {
  const { name } = objectWith(answer.json, id) ?? {};
  return shownField([answer.json, typeof name === 'string' ? { box_name: name } : {}], 'box_name');
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/registerBox/ok',
    [
      'gateway/registerBox/1',
      'gateway/rules/10',
      'gateway/service/2',
      'gateway/service/3',
      'gateway/states/1',
      'gateway/states/2',
      'gateway/box/1',
      'gateway/auth/1',
    ],
    'answers 201 with a working id and token',
    async (gateway) => {
      const [one, other] = [await gateway.box(), await gateway.box()];
      for (const box of [one, other]) {
        record(box.answer);
        status(await gateway.heartbeat(box), 200);
        equal('routes of a new box', await gateway.routes(box), []);
      }
      ensure('ids and tokens differ', one.id !== other.id && one.token !== other.token);
      refused(await gateway.heartbeat({ ...one, token: other.token }), 403, texts.otherBox);
    },
    shared,
  ),
  check(
    'gateway/registerBox/other-mode',
    ['gateway/registerBox/4', 'gateway/service/16', 'gateway/service/18', 'gateway/errors/8'],
    'answers 501 to a registration in a mode other than single, and creates no peer',
    async (gateway) => {
      for (const mode of ['multi', 'singles']) {
        gateway.environment.variables.GATEWAY_MODE = mode;
        refused(await gateway.register(), 501);
        // The mode only affects registrations.
        refused(await gateway.get('/v1/routes'), 401, texts.missingToken);
        status(await gateway.get('/healthz'), 200);
        await gateway.stop();
      }
      equal('peers', gateway.environment.manager.clients().length, 0);
    },
  ),
  check(
    'gateway/registerBox/single-mode',
    ['gateway/service/16', 'gateway/service/17', 'gateway/process/5'],
    'registers in the mode single, set or by default, into one account',
    async (gateway) => {
      const one = await gateway.box();
      await gateway.stop();
      gateway.environment.variables.GATEWAY_MODE = 'single';
      const others = [await gateway.box(), await gateway.box()] as const;
      for (const box of [one, ...others]) box.peer();
      const [account, ...accounts] = [one, ...others].map((box) => shownField(record(box.answer), 'account_id'));
      ensure('account_id is a text', typeof account === 'string' && account !== '');
      equal('the account of two boxes', accounts[1], accounts[0]);
    },
  ),
  check(
    'gateway/registerBox/account-and-name',
    ['gateway/box/2', 'gateway/box/3'],
    'shows for each box its account and the name of its registration',
    async (gateway) => {
      const [one, other] = [await gateway.box('Bøx one'), await gateway.box('bøx Two')];
      for (const box of [one, other]) {
        equal('the name', shownName(box), box.name);
        equal('the type of account_id', typeof shownField(record(box.answer), 'account_id'), 'string');
      }
    },
    shared,
  ),
  check(
    'gateway/registerBox/modes',
    ['choice/gateway/40', 'choice/gateway/41', 'choice/gateway/26'],
    'accepts any text as a mode, says which one works, and keeps serving existing boxes',
    async (gateway) => {
      const box = gateway.environment.store === 'memory' ? null : await gateway.box();
      const route = box === null ? null : await gateway.route(box);
      await gateway.stop();
      for (const mode of ['Single', 'multi tenant ünïcode', 'single ']) {
        gateway.environment.variables.GATEWAY_MODE = mode;
        refused(await gateway.register(), 501, 'registration works in the mode single only');
        refused(await gateway.register({ registration_token: 'wrong' }), 501);
        refused(await gateway.register({ box_name: 7 }), 400);
        refused(await gateway.register({ box_name: undefined }), 400, texts.registrationFields);
        if (box !== null && route !== null) {
          status(await gateway.heartbeat(box), 200);
          equal('its routes', (await gateway.routes(box)).length, 1);
          status(await gateway.publish(box, {}), 201);
          status(await gateway.unpublish(box, String((await gateway.routes(box)).at(-1)?.id)), 200);
        }
        await gateway.stop();
      }
    },
  ),
  check(
    'gateway/registerBox/no-bearer',
    ['gateway/registerBox/9', 'gateway/auth/2'],
    'requires no bearer token, and ignores one',
    async (gateway) => {
      const { registrationToken } = gateway.environment;
      const body = { registration_token: registrationToken, box_name: 'weir' };
      for (const headers of [{}, bearer('nonsense'), { Authorization: 'Basic eDp5' }]) {
        status(await gateway.post('/v1/boxes/register', body, headers as Record<string, string>), 201);
      }
      const byHeader = await gateway.post('/v1/boxes/register', { box_name: 'weir' }, bearer(registrationToken));
      refused(byHeader, 400, texts.registrationFields);
    },
    shared,
  ),
  check(
    'gateway/registerBox/result',
    ['choice/gateway/37', 'choice/gateway/38', 'choice/gateway/39', 'choice/gateway/58'],
    'answers exactly id, token, account, name and tunnel in the chosen forms',
    async (gateway) => {
      const { answer, peer } = await gateway.box('Ünïque');
      const result = record(answer);
      ensure(
        'the fields',
        hasKeys(result, ['box_id', 'box_token', 'account_id', 'box_name', 'tunnel']),
        Object.keys(result),
      );
      matches('box_id', result.box_id, /^box_[a-z0-9]{10,}$/);
      matches('account_id', result.account_id, /^acc_[a-z0-9]{10,}$/);
      matches('box_token', result.box_token, /^bgt_[A-Za-z0-9_-]{43}[A-Za-z0-9_-]{6}$/);
      equal('box_name', result.box_name, 'Ünïque');
      const { tunnel } = result;
      ensure('the fields of tunnel', hasKeys(tunnel, ['address', 'config']), tunnel);
      equal('tunnel.address', shownField(tunnel, 'address'), peer().address);
      const config = String(shownField(tunnel, 'config'));
      matches('tunnel.config', config, /^\[Interface\]\nPrivateKey = \S+\n[\s\S]*\n\[Peer\]\nPublicKey = /);
      ensure('its address is in it', config.includes(`Address = ${peer().address}/`));
    },
  ),
  check(
    'gateway/registerBox/same-name',
    ['choice/gateway/32'],
    'registers another box with a name that is in use',
    async (gateway) => {
      const [one, other] = [await gateway.box('twin'), await gateway.box('twin')];
      ensure('they are two', one.id !== other.id);
      status(await gateway.heartbeat(one), 200);
    },
    shared,
  ),
  check(
    'gateway/registerBox/client-gone',
    ['choice/gateway/14'],
    'completes a registration whose client has disconnected',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '1';
      const { manager, registrationToken } = gateway.environment;
      manager.faults.script({ kind: 'slow', on: 'create', delayMs: 10_000 });
      const { port } = await gateway.start();
      const body = JSON.stringify({ registration_token: registrationToken, box_name: 'weir' });
      const head = `POST /v1/boxes/register HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
      const socket = connect({ port, host: '127.0.0.1' });
      socket.on('error', () => undefined);
      socket.write(head + body);
      await until('the peer is made', () => manager.clients().length === 1);
      socket.destroy();
      manager.faults.clear();
      await until('the configuration is fetched', () =>
        manager.log().some((entry) => entry.operation === 'configuration' && entry.status === 200),
      );
      refused(await gateway.register(), 403, texts.boxLimit);
      await gateway.stop();
      equal('peers', manager.clients().length, 1);
    },
  ),
];
