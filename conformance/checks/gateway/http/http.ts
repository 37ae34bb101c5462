import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { ensure, equal, matches, pluck, record, status } from '../../../kernel/expect.ts';
import { followsHttp } from '../../http/cases.ts';
import { answersWithoutHost, refusesMalformed } from '../../http/malformed.ts';
import { answersRequestsInOrder } from '../../http/one-connection.ts';
import type { GatewayContext, LiveBox } from '../context.ts';
import { shared } from '../shared-fixture.ts';

const headOf = (box: LiveBox) => `Host: localhost\r\nAuthorization: Bearer ${box.token}\r\n`;

/** The bytes of a request that publishes a route with a new subdomain. */
function publishing(gateway: GatewayContext, box: LiveBox): string {
  const body = JSON.stringify({ app_name: 'lantern', subdomain: gateway.label(), port: 80 });
  return `POST /v1/routes HTTP/1.1\r\n${headOf(box)}Content-Length: ${body.length}\r\n\r\n${body}`;
}

async function someAnswers(gateway: GatewayContext) {
  const box = await gateway.box();
  const route = await gateway.route(box);
  return [
    box.answer,
    route.answer,
    await gateway.get('/healthz'),
    await gateway.get('/nowhere'),
    await gateway.list(box),
    await gateway.heartbeat(box),
    await gateway.register({ box_name: undefined }),
    await gateway.get('/v1/routes'),
    await gateway.get('/v1/routes', bearer('nonsense')),
    await gateway.heartbeat({ id: 'somebody', token: box.token }),
    await gateway.publish(box, { port: null }),
    await gateway.publish(box, { subdomain: route.subdomain }),
    await gateway.unpublish(box, 'no-such-route'),
    await gateway.request({ method: 'DELETE', path: '/v1/routes', headers: bearer(box.token), body: {} }),
    await gateway.deregister(box),
  ];
}

const service = { get: '/healthz', post: '/v1/boxes/register', maxBodyBytes: 64 * 1024, unknownMethod: 404 };

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/http/json-headers',
    ['gateway/endpoints/1', 'gateway/endpoints/2', 'gateway/endpoints/7', 'gateway/endpoints/8', 'gateway/service/1'],
    'sends every response as application/json with its length in bytes, errors included',
    async (gateway) => {
      for (const answer of await someAnswers(gateway)) {
        const what = `of ${answer.method} ${answer.path} ${answer.status}`;
        equal(`Content-Type ${what}`, answer.headers['content-type'], 'application/json');
        equal(`Content-Length ${what}`, answer.headers['content-length'], String(answer.body.length));
        equal(`no chunks ${what}`, answer.headers['transfer-encoding'], undefined);
        ensure(`JSON ${what}`, answer.json !== undefined, answer.text);
      }
    },
    { ...shared, verifies: ['json', 'content-length'] },
  ),
  check(
    'gateway/http/error-form',
    ['gateway/errors/1', 'gateway/endpoints/2'],
    'sends every error as one text under error, and nothing else',
    async (gateway) => {
      const errors = (await someAnswers(gateway)).filter((answer) => answer.status >= 400);
      ensure('there are errors, whose form was verified', errors.length > 0);
    },
    { ...shared, verifies: ['error'] },
  ),
  check(
    'gateway/http/keep-alive',
    ['gateway/service/1', 'gateway/endpoints/8'],
    'answers sequential requests on one connection completely, or closes it after the first',
    (gateway) => answersRequestsInOrder(gateway.raw, '/healthz'),
    shared,
  ),
  check(
    'gateway/http/corpus',
    ['choice/gateway/16', 'choice/gateway/121', 'choice/gateway/122', 'choice/gateway/182'],
    'refuses or answers any bytes, never with more responses than requests, and keeps serving',
    (gateway) => followsHttp(gateway.raw, service),
    { ...shared, timeoutMs: 90_000 },
  ),
  check(
    'gateway/http/pipelined',
    ['choice/gateway/119'],
    'processes pipelined requests in order: a list shows the routes published just before it',
    async (gateway) => {
      const box = await gateway.box();
      const head = headOf(box);
      const publish = () => publishing(gateway, box);
      const list = `GET /v1/routes HTTP/1.1\r\n${head}\r\n`;
      const { responses } = await gateway.raw({
        parts: [publish() + publish() + list + list],
        responses: 4,
      });
      equal('the answers', pluck(responses, 'status'), [201, 201, 200, 200]);
      const ids = responses.slice(0, 2).map((answer) => record(answer).id);
      const listed = responses.slice(2).map((answer) => record(answer).routes as { id: string }[]);
      for (const routes of listed) equal('the routes of the list', pluck(routes, 'id'), ids);
      const refusals = [
        'GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n',
        'GET /v1/routes HTTP/1.1\r\nHost: localhost\r\n\r\n',
        'GET /v1/routes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer nonsense\r\n\r\n',
        `POST /v1/boxes/x/heartbeat HTTP/1.1\r\n${head}\r\n`,
        `POST /v1/routes HTTP/1.1\r\n${head}\r\n`,
        `DELETE /v1/routes/x HTTP/1.1\r\n${head}\r\n`,
      ];
      const among = await gateway.raw({ parts: [refusals.join('') + list], responses: 7 });
      equal(
        'the answers to what is refused, and to a list behind it',
        pluck(among.responses, 'status'),
        [404, 401, 401, 403, 400, 404, 200],
      );
    },
    shared,
  ),
  check(
    'gateway/http/pipelined-nonsense',
    ['choice/gateway/119'],
    'answers the requests before an invalid one on a connection, and ignores those behind it',
    async (gateway) => {
      const box = await gateway.box();
      const publish = publishing(gateway, box);
      const list = `GET /v1/routes HTTP/1.1\r\n${headOf(box)}\r\n`;
      const behind = await gateway.raw({ parts: [`${publish}${list}nonsense\r\n\r\n`], responses: 4 });
      equal(
        'statuses of a change, a list and nonsense in one packet',
        pluck(behind.responses, 'status'),
        [201, 200, 400],
      );
      const late = publishing(gateway, box);
      const before = await gateway.raw({ parts: [`GET / HTTP/1.1\r\n\r\n${late}`], responses: 2 });
      equal(
        'statuses of a request without a host and a change in one packet',
        pluck(before.responses, 'status'),
        [400],
      );
      equal('routes: none of a change that was not answered', (await gateway.routes(box)).length, 1);
    },
    shared,
  ),
  check(
    'gateway/http/head',
    ['choice/gateway/1'],
    'answers HEAD with 404 on every path, without a body',
    async (gateway) => {
      for (const path of ['/healthz', '/v1/routes', '/nowhere']) {
        const answer = await gateway.request({ method: 'HEAD', path });
        status(answer, 404);
        equal('no body', answer.body.length, 0);
      }
    },
    shared,
  ),
  check(
    'gateway/http/whole-address',
    ['choice/gateway/121'],
    'accepts an absolute URL as the request target',
    async (gateway) => {
      const targets = ['http://localhost/healthz', 'HTTPS://x:1/healthz?a'];
      for (const target of [...targets, 'http://localhost', '*']) {
        const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
        const { responses } = await gateway.raw({ parts: [head] });
        equal(`status for ${target}`, responses[0]?.status, targets.includes(target) ? 200 : 404);
      }
    },
    shared,
  ),
  check(
    'gateway/http/without-host',
    ['choice/gateway/122'],
    'answers an HTTP/1.0 request without a host',
    (gateway) => answersWithoutHost(gateway.raw, '/healthz'),
    shared,
  ),
  check(
    'gateway/http/malformed',
    ['choice/gateway/16', 'choice/gateway/15'],
    'answers 400 with an error body to a request that is not HTTP/1.1, and closes the connection',
    async (gateway) => {
      const heads = [
        'GET /healthz HTTP/x\r\n\r\n',
        'nonsense\r\n\r\n',
        'POST /v1/boxes/register HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n',
        'POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
        'GET /healthz HTTP/1.1\r\n\r\n',
        'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
        'GET /healthz HTTP/1.1\r\nhost: x\r\nHOST: y\r\n\r\n',
        'POST /v1/routes HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
        '(FROB /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
        'FROB /healthz HTTP/1.1x\r\nHost: x\r\n\r\n',
      ];
      for (const { headers } of await refusesMalformed(gateway.raw, heads))
        equal('Content-Type', headers['content-type'], 'application/json');
    },
    shared,
  ),
  check(
    'gateway/http/headers-on-every-answer',
    ['choice/gateway/21', 'choice/gateway/22'],
    'sends its own headers with every response, and no CORS header',
    async (gateway) => {
      const answers = [
        ...(await someAnswers(gateway)),
        await gateway.get('/healthz', { Origin: 'http://evil.example' }),
        await gateway.request({
          method: 'OPTIONS',
          path: '/v1/routes',
          headers: { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' },
        }),
      ];
      for (const answer of answers) {
        equal('Cache-Control', answer.headers['cache-control'], 'no-store');
        equal('X-Content-Type-Options', answer.headers['x-content-type-options'], 'nosniff');
        matches('Server', answer.headers.server, /^boxgate\/\d+\.\d+\.\d+/);
        const cors = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
        equal('CORS headers', cors, []);
      }
    },
    { ...shared, verifies: ['headers', 'cors'] },
  ),
  check(
    'gateway/http/any-site',
    ['choice/gateway/24'],
    'ignores the Host and the origin of requests',
    async (gateway) => {
      const box = await gateway.box();
      const strangers = [
        { Host: 'evil.example' },
        { Origin: 'http://evil.example' },
        { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' },
      ];
      for (const headers of strangers as Record<string, string>[]) {
        status(await gateway.get('/healthz', headers), 200);
        status(await gateway.get('/v1/routes', { ...bearer(box.token), ...headers }), 200);
        status(
          await gateway.post(`/v1/boxes/${box.id}/heartbeat`, undefined, { ...bearer(box.token), ...headers }),
          200,
        );
      }
    },
    shared,
  ),
];
