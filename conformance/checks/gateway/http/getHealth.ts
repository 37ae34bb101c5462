import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { equal, record, status } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { shared } from '../shared-fixture.ts';

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/getHealth/ok',
    ['gateway/getHealth/1', 'gateway/versioning/2'],
    'answers {"status": "ok"}',
    async (gateway) => {
      const answer = await gateway.get('/healthz');
      status(answer, 200);
      equal('status in the body', record(answer).status, 'ok');
    },
    shared,
  ),
  check(
    'gateway/getHealth/no-authentication',
    ['gateway/getHealth/2', 'gateway/auth/4', 'gateway/getHealth/3'],
    'requires no token, and ignores an invalid one',
    async (gateway) => {
      const box = await gateway.box();
      for (const headers of [{}, bearer('nonsense'), bearer(box.token), { Authorization: 'Basic eDp5' }]) {
        const answer = await gateway.get('/healthz', headers as Record<string, string>);
        status(answer, 200);
        equal('status in the body', record(answer).status, 'ok');
      }
    },
    shared,
  ),
];
