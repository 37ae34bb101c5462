import { type Check, check, NotApplicable } from '../../../kernel/check.ts';
import { ensure, equal, record, refused, status } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { shared, texts } from '../shared-fixture.ts';

const ruleOfName = 'box_name must be a string of 1 to 128 characters, none of them a control character';

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/registerBox/stranger',
    ['should/gateway/552'],
    'tells a wrong token nothing of the box limit and of the tunnel manager',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '1';
      const guess = () => gateway.register({ registration_token: 'a guess' });
      await gateway.box();
      refused(await guess(), 401);
      await gateway.environment.manager.stop();
      refused(await guess(), 401);
    },
  ),
  check(
    'gateway/registerBox/missing-fields',
    ['gateway/registerBox/2', 'gateway/registerBox/3', 'gateway/errors/2', 'gateway/errors/3'],
    'refuses a registration without token or name',
    async (gateway) => {
      const missing = [{ box_name: undefined }, { registration_token: undefined }];
      for (const fields of [...missing, { box_name: undefined, registration_token: undefined }]) {
        refused(await gateway.register(fields), 400, texts.registrationFields);
      }
      refused(
        await gateway.post('/v1/boxes/register', { box_name: 'weir', token: 'x' }),
        400,
        texts.registrationFields,
      );
    },
    shared,
  ),
  check(
    'gateway/registerBox/empty-fields',
    ['choice/gateway/27', 'choice/gateway/28'],
    'treats null and the empty text as missing, before it looks for other errors',
    async (gateway) => {
      for (const nothing of [null, '']) {
        refused(await gateway.register({ box_name: nothing }), 400, texts.registrationFields);
        refused(await gateway.register({ registration_token: nothing }), 400, texts.registrationFields);
        refused(await gateway.register({ box_name: 7, registration_token: nothing }), 400, texts.registrationFields);
        refused(await gateway.register({ box_name: nothing, registration_token: [] }), 400, texts.registrationFields);
      }
      status(await gateway.register({ box_name: ' ' }), 201);
    },
    shared,
  ),
  check(
    'gateway/registerBox/wrong-fields',
    ['choice/gateway/28', 'choice/gateway/29', 'choice/gateway/30', 'choice/gateway/31'],
    'refuses an invalid field, and names the first one and its rule',
    async (gateway) => {
      for (const wrong of [7, true, ['x'], { a: 1 }, 0, false]) {
        const token = 'registration_token must be a string';
        refused(await gateway.register({ registration_token: wrong }), 400, token);
        refused(await gateway.register({ registration_token: wrong, box_name: 7 }), 400, token);
        refused(await gateway.register({ box_name: wrong }), 400, ruleOfName);
      }
      for (const name of ['x'.repeat(129), 'a\nb', 'tab\t', '\u0000', 'del\u007f', 'c1\u0085', '🗻'.repeat(129)]) {
        refused(await gateway.register({ box_name: name }), 400, ruleOfName);
      }
      for (const name of ['x'.repeat(128), 'é'.repeat(128), '🗻'.repeat(128), '名前 "quoted" `x` {{y}} ../..']) {
        const answer = await gateway.register({ box_name: name });
        status(answer, 201);
        equal('box_name', record(answer).box_name, name);
      }
      const half = await gateway.post(
        '/v1/boxes/register',
        `{"registration_token":${JSON.stringify(gateway.environment.registrationToken)},"box_name":"a\\ud800b"}`,
      );
      status(half, 201);
      equal('half a surrogate pair', record(half).box_name, 'a\ufffdb');
    },
    shared,
  ),
  check(
    'gateway/registerBox/wrong-token',
    ['gateway/registerBox/5', 'gateway/auth/9', 'gateway/errors/4', 'gateway/errors/2'],
    'refuses every token except the configured one, and creates neither box nor peer',
    async (gateway) => {
      const { registrationToken: right, manager } = gateway.environment;
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '1';
      const swapped = right.replace(/[a-z]/gi, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      );
      const near = [right.slice(0, -1), right.slice(1), `${right}x`, ` ${right}`, `${right} `, swapped];
      for (const wrong of ['wrong', ...near, 'null', 'wröng', '🗻', `${right}é`]) {
        refused(await gateway.register({ registration_token: wrong }), 401, texts.registrationToken);
      }
      equal('peers', manager.clients().length, 0);
      await gateway.box();
      equal('peers', manager.clients().length, 1);
    },
  ),
  check(
    'gateway/registerBox/token-as-it-is',
    ['choice/gateway/35'],
    'compares tokens exactly, including spaces and case, and accepts any characters',
    async (gateway) => {
      const token = ' Blank at both ends, ünïcode 🗻 and "quotes" ';
      gateway.hide(token);
      gateway.environment.variables.GATEWAY_BOX_TOKEN = token;
      for (const wrong of [token.trim(), token.trimEnd(), token.trimStart(), token.toLowerCase()]) {
        refused(await gateway.register({ registration_token: wrong }), 401, texts.registrationToken);
      }
      status(await gateway.register({ registration_token: token }), 201);
    },
  ),
  check(
    'gateway/registerBox/secret-unset',
    ['gateway/auth/11', 'gateway/process/6'],
    'refuses every registration if no secret is configured',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_TOKEN = undefined;
      for (const token of [gateway.environment.registrationToken, 'undefined', 'null', 'None', 'secret', 'changeme']) {
        refused(await gateway.register({ registration_token: token }), 401, texts.registrationToken);
      }
      equal('peers', gateway.environment.manager.clients().length, 0);
    },
  ),
  check(
    'gateway/registerBox/secret-empty',
    ['gateway/auth/12'],
    'refuses every registration if the secret is empty, also with an empty token',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_TOKEN = '';
      for (const token of [gateway.environment.registrationToken, 'x', '0']) {
        refused(await gateway.register({ registration_token: token }), 401, texts.registrationToken);
      }
      for (const token of ['', ' ']) {
        const { status } = await gateway.register({ registration_token: token });
        ensure('a token of nothing, or of a blank, is refused', [400, 401].includes(status), { token, status });
      }
      equal('peers', gateway.environment.manager.clients().length, 0);
    },
  ),
  check(
    'gateway/registerBox/guessing',
    ['choice/gateway/36'],
    'delays guesses after ten failures in a minute, and locks nobody out',
    async (gateway) => {
      await gateway.start();
      const guess = async () => {
        const start = performance.now();
        refused(await gateway.register({ registration_token: 'a guess' }), 401, texts.registrationToken);
        return performance.now() - start;
      };
      const start = performance.now();
      const first: number[] = [];
      for (let count = 0; count < 10; count += 1) first.push(await guess());
      const later = await Promise.all(Array.from({ length: 20 }, guess));
      if (performance.now() - start > 55_000) throw new NotApplicable('this machine is too slow to guess');
      ensure('one of the first ten is answered at once', Math.min(...first.slice(1)) < 900, first);
      // A timer may fire slightly early.
      ensure('each later one waits', Math.min(...later) > 90, later);
      ensure('eleven of them wait a second', later.filter((ms) => ms > 980).length >= 11, later);
      await gateway.box();
    },
    { timeoutMs: 90_000 },
  ),
  check(
    'gateway/registerBox/order',
    ['choice/gateway/26'],
    'checks missing fields, invalid fields, token, limit and tunnel manager in this order',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '1';
      await gateway.start();
      await gateway.environment.manager.stop();
      refused(await gateway.register(), 502);
      await gateway.environment.manager.start();
      await gateway.box();
      await gateway.environment.manager.stop();
      refused(await gateway.register(), 403, texts.boxLimit);
      refused(await gateway.register({ registration_token: 'wrong' }), 401, texts.registrationToken);
      refused(await gateway.register({ registration_token: 'wrong', box_name: 7 }), 400, ruleOfName);
      refused(await gateway.register({ registration_token: 7, box_name: '' }), 400, texts.registrationFields);
    },
    { timeoutMs: 60_000 },
  ),
];
