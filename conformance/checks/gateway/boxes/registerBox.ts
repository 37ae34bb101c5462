import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { ensure, equal, record, refused, status } from '../../../kernel/expect.ts';
import type { GatewayContext, LiveBox } from '../context.ts';
import { fieldIn, objectWith, shared, texts } from '../shared-fixture.ts';

/** The box name, if the registration shows it: `box_name`, or the `name` next to the id of the box. */
function shownName({ answer, id }: LiveBox) {
  const { name } = objectWith(answer.json, id) ?? {};
  return fieldIn([answer.json, typeof name === 'string' ? { box_name: name } : {}], 'box_name');
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
      // No requirement says that a registration shows the account.
      const accounts = [one, ...others].flatMap((box) => fieldIn(record(box.answer), 'account_id') ?? []);
      for (const { value } of accounts) {
        ensure('account_id is a text', typeof value === 'string' && value !== '', value);
        equal('the account of each box', value, accounts[0]?.value);
      }
    },
  ),
  check(
    'gateway/registerBox/account-and-name',
    ['gateway/box/2', 'gateway/box/3'],
    'shows a box under no other account_id and name than its own',
    async (gateway) => {
      const [one, other] = [await gateway.box('Bøx one'), await gateway.box('bøx Two')];
      for (const box of [one, other]) {
        equal('the name, where it is shown', shownName(box)?.value ?? box.name, box.name);
        const account = fieldIn(record(box.answer), 'account_id');
        if (account !== null) equal('the type of account_id', typeof account.value, 'string');
      }
    },
    shared,
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
];
