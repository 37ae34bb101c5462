import { type Check, check } from '../../../kernel/check.ts';
import { equal, status } from '../../../kernel/expect.ts';
import { notHttp, refusesEndlessBody, refusesInErrorForm, sendAmbiguous, sendAsBody } from '../../http/ambiguous.ts';
import type { GatewayContext } from '../context.ts';
import { shared } from '../shared-fixture.ts';

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/http/ambiguous-length',
    ['should/gateway/550'],
    'carries out no part of a request as another one',
    async (gateway) => {
      const box = await gateway.box();
      const publish = () => {
        const body = JSON.stringify({ app_name: 'lantern', subdomain: gateway.label(), port: 80 });
        const head = `Host: x\r\nAuthorization: Bearer ${box.token}\r\nContent-Length: ${body.length}\r\n`;
        return `POST /v1/routes HTTP/1.1\r\n${head}\r\n${body}`;
      };
      await sendAmbiguous(gateway.raw, '/v1/boxes/register', publish);
      const header = `Authorization: Bearer ${box.token}\r\n`;
      for (const line of [
        'GET /healthz',
        'GET /v1/routes',
        'GET /nowhere',
        `POST /v1/boxes/${box.id}/heartbeat`,
        'POST /v1/boxes/nobody/rotate-token',
        'POST /v1/boxes/nobody/deregister',
        'POST /nowhere',
        'DELETE /v1/routes/no-such-route',
      ]) {
        await sendAsBody(gateway.raw, line, publish());
        await sendAsBody(gateway.raw, line, publish(), header);
      }
      equal('routes', await gateway.routes(box), []);
    },
    shared,
  ),
  check(
    'gateway/http/not-http',
    ['should/gateway/553'],
    'answers what is not HTTP with an error of its API, and closes the connection',
    (gateway) => refusesInErrorForm(gateway.raw, notHttp),
    shared,
  ),
  check(
    'gateway/http/endless-body',
    ['should/gateway/577'],
    'refuses a body that no memory can hold, and serves other clients meanwhile',
    async (gateway) => {
      const sending = refusesEndlessBody(gateway.raw, '/v1/boxes/register');
      status(await gateway.get('/healthz'), 200);
      await sending;
      status(await gateway.get('/healthz'), 200);
    },
    shared,
  ),
];
