import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { ensure, equal, refused, status } from '../../../kernel/expect.ts';
import type { GatewayContext } from '../context.ts';
import { shared, texts } from '../shared-fixture.ts';

/** Paths and methods that are similar to those of the table, but not in it. */
function outsideTheTable(id: string): [method: string, path: string][] {
  const gets = [
    '/', '/v1', '/v1/', '/v1/boxes', '/v1/accounts', '/v1/accounts/1', '/accounts', '/routes', '/v1/healthz', '/v2/routes',
    '/metrics', '/openapi.json', '/docs', '/favicon.ico', '/healthzz', '/healthz/x', '/HEALTHZ', '/Healthz', '/v1/Routes',
    '/v1//routes', `/v1/boxes/${id}`, '/healthz/', '/v1/routes/',
  ]; // biome-ignore format: a table
  const posts = [
    '/boxes/register', '/v1/boxes', '/v1/boxes/Register', '/v1/boxes/register/x', '/v1/accounts', '/v1/healthz',
    `/boxes/${id}/heartbeat`, `/v1/boxes/${id}`, `/v1/boxes/${id}/rotate`, `/v1/boxes/${id}/heartbeat/x`,
    `/v1/boxes/${id}/x/heartbeat`, `/v1/boxes/a/${id}/deregister`, `/v1/boxes/${id}/Deregister`, '/v1/routes/x',
    '/v1/routes/', '/v1/boxes/register/', `/v1/boxes/${id}/heartbeat/`, `/v1/boxes/${id}/deregister/`,
    `/v1/boxes/${id}/rotate-token/`,
  ]; // biome-ignore format: a table
  const deletes = ['/v1/routes', '/v1/routes/a/b', '/routes/a', `/v1/boxes/${id}`, '/v1/routes/a/b/c'];
  return [
    ...gets.map((path): [string, string] => ['GET', path]),
    ...posts.map((path): [string, string] => ['POST', path]),
    ...deletes.map((path): [string, string] => ['DELETE', path]),
  ];
}

/** Paths of the table with methods that only other paths have. */
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
  const methods = ['GET', 'POST', 'DELETE'];
  return rows.flatMap(([path, has]) =>
    methods.filter((method) => !has.includes(method)).map((method): [string, string] => [method, path]),
  );
}

export const checks: Check<GatewayContext>[] = [
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
    'answers 404 not found on every path outside the table, and changes nothing',
    async (gateway) => {
      const box = await gateway.box();
      for (const [method, path] of outsideTheTable(box.id)) {
        refused(await gateway.request({ method, path, headers: bearer(box.token), body: {} }), 404, texts.notFound);
      }
      // Requests for unknown paths need no token.
      for (const [method, path] of [
        ['GET', '/'],
        ['GET', '/v1/nowhere'],
        ['POST', '/v1/accounts'],
        ['DELETE', '/nowhere'],
      ] as const)
        refused(await gateway.request({ method, path }), 404, texts.notFound);
      const route = await gateway.route(box);
      const path = `/v1/routes/${route.id}/`;
      const headers = bearer(box.token);
      refused(await gateway.request({ method: 'DELETE', path, headers }), 404, texts.notFound);
      equal('routes', (await gateway.routes(box)).length, 1);
      status(await gateway.heartbeat(box), 200);
    },
    shared,
  ),
  check(
    'gateway/http/other-methods',
    ['gateway/endpoints/10', 'gateway/errors/6'],
    'answers 404 not found to every method outside the table',
    async (gateway) => {
      const box = await gateway.box();
      for (const [method, path] of otherMethods(box.id)) {
        const body = method === 'GET' ? undefined : {};
        refused(await gateway.request({ method, path, headers: bearer(box.token), body }), 404, texts.notFound);
      }
      // An HTTP library may answer an unknown method by itself, in another form.
      for (const method of ['PUT', 'PATCH']) {
        const { subdomain } = await gateway.route(box);
        const route = JSON.stringify({ app_name: 'lantern', subdomain: `${subdomain}-x`, port: 80 });
        for (const path of ['/healthz', '/v1/routes', `/v1/boxes/${box.id}/deregister`]) {
          const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${box.token}\r\n`;
          const asked = `${head}Content-Length: ${route.length}\r\n\r\n${route}`;
          const { responses } = await gateway.raw({ parts: [asked] });
          ensure(`${method} ${path} is refused`, (responses[0]?.status ?? 400) >= 400, responses[0]?.status);
        }
      }
      equal('routes', (await gateway.routes(box)).length, 2);
      status(await gateway.heartbeat(box), 200);
    },
    shared,
  ),
];
