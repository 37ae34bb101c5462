import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, refused, variant } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { shared, texts } from '../shared-fixture.ts';

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
    'gateway/registerBox/wrong-token',
    ['gateway/registerBox/5', 'gateway/auth/9', 'gateway/errors/4', 'gateway/errors/2'],
    'refuses every token except the configured one, and creates neither box nor peer',
    async (gateway) => {
      const { registrationToken: right, manager } = gateway.environment;
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '1';
      const swapped = right.replace(/[a-z]/gi, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      );
      const near: Record<string, string> = {
        'without its last character': right.slice(0, -1),
        'without its first character': right.slice(1),
        'with an x behind it': `${right}x`,
        'with a blank before it': ` ${right}`,
        'with a blank behind it': `${right} `,
        'with capitals and small letters exchanged': swapped,
        'with an é behind it': `${right}é`,
      };
      const others = ['wrong', 'null', 'wröng', '🗻'].map((text): [string, string] => [`that is "${text}"`, text]);
      for (const [what, wrong] of [...others, ...Object.entries(near)]) {
        await variant(`the token ${what}`, async () =>
          refused(await gateway.register({ registration_token: wrong }), 401, texts.registrationToken),
        );
      }
      equal('peers', manager.clients().length, 0);
      await gateway.box();
      equal('peers', manager.clients().length, 1);
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
];
