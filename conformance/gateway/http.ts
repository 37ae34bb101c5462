import { type Check, check } from '../check.ts';
import { equal, holds, matches, refused, status } from '../expect.ts';
import { bearer, type Gateway } from './gateway.ts';
import { shared, texts } from './town.ts';

/** Paths and methods that the table does not have, however near they come to one that it has. */
function outsideTheTable(id: string): [method: string, path: string][] {
  const gets = [
    '/', '/v1', '/v1/', '/v1/boxes', '/v1/accounts', '/v1/accounts/1', '/accounts', '/routes', '/v1/healthz', '/v2/routes',
    '/metrics', '/openapi.json', '/docs', '/favicon.ico', '/healthzz', '/healthz/x', '/HEALTHZ', '/Healthz', '/v1/Routes',
    '/v1//routes', '//healthz', '/healthz;x', `/v1/boxes/${id}`,
  ]; // biome-ignore format: a table
  const posts = [
    '/boxes/register', '/v1/boxes', '/v1/boxes/Register', '/v1/boxes/register/x', '/v1/accounts', '/v1/healthz',
    `/boxes/${id}/heartbeat`, `/v1/boxes/${id}`, `/v1/boxes/${id}/rotate`, `/v1/boxes/${id}/heartbeat/x`,
    `/v1/boxes/${id}/x/heartbeat`, `/v1/boxes/a/${id}/deregister`, `/v1/boxes/${id}/Deregister`, '/v1/routes/x',
  ]; // biome-ignore format: a table
  const deletes = ['/v1/routes', '/v1/routes/a/b', '/routes/a', `/v1/boxes/${id}`, '/v1/routes/a/b/c'];
  return [
    ...gets.map((path): [string, string] => ['GET', path]),
    ...posts.map((path): [string, string] => ['POST', path]),
    ...deletes.map((path): [string, string] => ['DELETE', path]),
  ];
}

/** The table's paths with methods that it does not have for them. */
function otherMethods(id: string): [method: string, path: string][] {
  const rows: [path: string, has: string[]][] = [
    ['/healthz', ['GET']],
    ['/v1/boxes/register', ['POST']],
    [`/v1/boxes/${id}/heartbeat`, ['POST']],
    [`/v1/boxes/${id}/rotate-token`, ['POST']],
    [`/v1/boxes/${id}/deregister`, ['POST']],
    ['/v1/routes', ['GET', 'POST']],
    ['/v1/routes/some-route', ['DELETE']],
  ];
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
  return rows.flatMap(([path, has]) =>
    methods.filter((method) => !has.includes(method)).map((method): [string, string] => [method, path]),
  );
}

async function someAnswers(gateway: Gateway) {
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
    await gateway.request({ method: 'PUT', path: '/v1/routes', headers: bearer(box.token), body: {} }),
    await gateway.deregister(box),
  ];
}

/** What holds for every path: how it is matched, what every answer carries. */
export const checks: Check<Gateway>[] = [
  check(
    'gateway/http/unknown-paths',
    [
      'gateway/endpoints/3',
      'gateway/endpoints/9',
      'gateway/service/21',
      'gateway/rules/1',
      'gateway/errors/2',
      'gateway/errors/6',
      'gateway/versioning/1',
      'gateway/versioning/2',
    ],
    'answers 404 not found on every path that the table does not have, and does nothing',
    async (gateway) => {
      const box = await gateway.box();
      for (const [method, path] of outsideTheTable(box.id)) {
        refused(
          await gateway.request({ method, path, headers: bearer(box.token), body: {} }),
          404,
          texts.notFound,
        );
      }
      status(await gateway.heartbeat(box), 200);
    },
    shared,
  ),
  check(
    'gateway/http/other-methods',
    ['gateway/endpoints/10', 'gateway/errors/6'],
    'answers 404 not found to every method that the table does not have for a path',
    async (gateway) => {
      const box = await gateway.box();
      for (const [method, path] of otherMethods(box.id)) {
        const body = method === 'GET' ? undefined : {};
        refused(
          await gateway.request({ method, path, headers: bearer(box.token), body }),
          404,
          texts.notFound,
        );
      }
      status(await gateway.heartbeat(box), 200);
    },
    shared,
  ),
  check(
    'gateway/http/json-headers',
    [
      'gateway/endpoints/1',
      'gateway/endpoints/2',
      'gateway/endpoints/7',
      'gateway/endpoints/8',
      'gateway/service/1',
    ],
    'sends everything as application/json with the length of its bytes, errors included',
    async (gateway) => {
      for (const answer of await someAnswers(gateway)) {
        const what = `of ${answer.method} ${answer.path} ${answer.status}`;
        equal(`Content-Type ${what}`, answer.headers['content-type'], 'application/json');
        equal(`Content-Length ${what}`, answer.headers['content-length'], String(answer.body.length));
        equal(`no chunks ${what}`, answer.headers['transfer-encoding'], undefined);
        holds(`JSON ${what}`, answer.json !== undefined, answer.text);
      }
    },
    shared,
  ),
  check(
    'gateway/http/error-form',
    ['gateway/errors/1', 'gateway/endpoints/2'],
    'gives every error as one text under error, and nothing beside',
    async (gateway) => {
      for (const answer of await someAnswers(gateway)) {
        if (answer.status >= 400) refused(answer, answer.status);
      }
    },
    shared,
  ),
  check(
    'gateway/http/keep-alive',
    ['gateway/service/1', 'gateway/endpoints/8'],
    'answers requests that follow each other on one connection, each whole, or closes it after the first',
    async (gateway) => {
      const one = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const { answers, closed } = await gateway.raw({ parts: [one.repeat(3)], answers: 3 });
      const statuses = answers.map((answer) => answer.status);
      const closedAtOnce = closed && answers.length > 0;
      equal('the answers', statuses, closedAtOnce ? statuses.map(() => 200) : [200, 200, 200]);
      holds('all the same', new Set(answers.map((answer) => answer.text)).size === 1);
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
    'gateway/http/rare-methods',
    ['choice/gateway/2'],
    'answers 404 and never 405 to methods that nobody has here',
    async (gateway) => {
      for (const method of ['OPTIONS', 'PROPFIND', 'TRACE', 'REPORT']) {
        for (const path of ['/healthz', '/v1/routes', '/v1/boxes/register']) {
          const answer = await gateway.request({ method, path });
          refused(answer, 404, texts.notFound);
          equal('no Allow', answer.headers.allow, undefined);
        }
      }
    },
    shared,
  ),
  check(
    'gateway/http/unknown-paths-without-token',
    ['choice/gateway/3', 'choice/gateway/15'],
    'answers 404 on an unknown path or method before it looks at any token',
    async (gateway) => {
      const rows = [...outsideTheTable('somebody'), ...otherMethods('somebody')];
      for (const headers of [{}, bearer('nonsense')]) {
        for (const [method, path] of rows) {
          refused(await gateway.request({ method, path, headers }), 404, texts.notFound);
        }
      }
    },
    shared,
  ),
  check(
    'gateway/http/not-decoded',
    ['choice/gateway/4'],
    'matches a path byte for byte, decodes nothing in it, and leaves the query out',
    async (gateway) => {
      const box = await gateway.box();
      for (const path of [
        '/%68ealthz',
        '/healthz%20',
        '/v1%2Froutes',
        '/./healthz',
        '/v1/../healthz',
        '/v1/%72outes',
      ]) {
        refused(await gateway.get(path, bearer(box.token)), 404, texts.notFound);
      }
      const coded = `%${box.id.charCodeAt(0).toString(16)}${box.id.slice(1)}`;
      refused(await gateway.heartbeat({ ...box, id: coded }), 403, texts.otherBox);
      const route = await gateway.route(box);
      refused(
        await gateway.unpublish(box, `%${route.id.charCodeAt(0).toString(16)}${route.id.slice(1)}`),
        404,
        texts.route,
      );
      status(await gateway.get('/healthz?x=/v1/routes'), 200);
      status(await gateway.get('/healthz?'), 200);
      status(await gateway.get('/v1/routes?a=1&b=/x', bearer(box.token)), 200);
      status(await gateway.heartbeat({ ...box, id: box.id, token: box.token }), 200);
      refused(await gateway.get('/nowhere?/healthz'), 404, texts.notFound);
      status(await gateway.unpublish(box, `${route.id}?x=1`), 200);
    },
    shared,
  ),
  check(
    'gateway/http/empty-segments',
    ['choice/gateway/5', 'choice/gateway/6'],
    'has no path with an empty segment or a final slash',
    async (gateway) => {
      const box = await gateway.box();
      const rows = [
        ['POST', '/v1/boxes//heartbeat'],
        ['POST', '/v1/boxes//deregister'],
        ['POST', `/v1/boxes/${box.id}/heartbeat/`],
        ['POST', '/v1/boxes/register/'],
        ['DELETE', '/v1/routes/'],
        ['GET', '/v1/routes/'],
        ['POST', '/v1/routes/'],
        ['GET', '/healthz/'],
      ] as const;
      for (const [method, path] of rows) {
        refused(
          await gateway.request({ method, path, headers: bearer(box.token), body: {} }),
          404,
          texts.notFound,
        );
      }
    },
    shared,
  ),
  check(
    'gateway/http/malformed',
    ['choice/gateway/16', 'choice/gateway/15'],
    'answers 400 with an error body to what is no HTTP/1.1, and closes',
    async (gateway) => {
      const heads = [
        'GET /healthz HTTP/x\r\n\r\n',
        'nonsense\r\n\r\n',
        'POST /v1/boxes/register HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n',
        'POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      ];
      for (const head of heads) {
        const { answers, closed } = await gateway.raw({ parts: [head], answers: 2, timeoutMs: 3000 });
        const statuses = answers.map((answer) => answer.status);
        equal(`status after ${JSON.stringify(head)}`, statuses, [400]);
        const body = answers[0]?.json as { error?: unknown } | undefined;
        holds('an error body', typeof body?.error === 'string', answers[0]?.text);
        equal('Content-Type', answers[0]?.headers['content-type'], 'application/json');
        holds('the connection closes', closed);
      }
    },
    shared,
  ),
  check(
    'gateway/http/headers-on-every-answer',
    ['choice/gateway/21', 'choice/gateway/22'],
    'sends its own headers on every answer, and none that lets web pages read it',
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
    shared,
  ),
  check(
    'gateway/http/any-site',
    ['choice/gateway/24'],
    'looks neither at Host nor at where a page comes from',
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
          await gateway.post(`/v1/boxes/${box.id}/heartbeat`, undefined, {
            ...bearer(box.token),
            ...headers,
          }),
          200,
        );
      }
    },
    shared,
  ),
  check(
    'gateway/http/nothing-else',
    ['choice/gateway/25'],
    'serves no page, document or figure at the port of its API',
    async (gateway) => {
      const paths = [
        '/',
        '/index.html',
        '/metrics',
        '/status',
        '/version',
        '/openapi.yaml',
        '/robots.txt',
        '/debug/pprof',
      ];
      for (const path of paths) refused(await gateway.get(path), 404, texts.notFound);
    },
    shared,
  ),
];
