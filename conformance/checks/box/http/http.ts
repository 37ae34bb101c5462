import { type Check, check } from '../../../kernel/check.ts';
import { equal, matches, pluck, refused, status } from '../../../kernel/expect.ts';
import { library } from '../apps.ts';
import type { BoxContext } from '../context.ts';

const outside = ['/api', '/api/', '/api/apps/', '/api/apps/cairn', '/api/apps/cairn/settings/'];
const elsewhere = [
  '/style.css',
  '/settings/',
  '/settings',
  '/update-state.json',
  '/index.html',
  '/favicon.ico',
  '/healthz',
];
const postOnly = ['/api/apps/install', '/api/apps/remove', '/api/apps/cairn/update', '/api/self/update/check'];

export const checks: Check<BoxContext>[] = [
  check(
    'box/http/unknown-paths',
    ['box/endpoints/1', 'box/endpoints/7', 'box/update-state/3', 'box/errors/2', 'box/errors/7', 'box/versioning/1'],
    'answers 404 not found to a GET of any path outside the table',
    async (box) => {
      const near = ['/API/apps', '/api//apps', '/api/./apps', '/apps//', '/api/bundled/', '/v1/api/apps'];
      const nearly = ['/api/self/update/status/', '/api/self/update/check', '/api/self/update/apply'];
      for (const path of [...outside, ...elsewhere, ...near, ...nearly, ...postOnly]) {
        refused(await box.get(path), 404, 'not found');
      }
      // Whether this path contains an empty name is decided by choice/box/5.
      const nameless = await box.get('/api/apps/settings');
      refused(nameless, nameless.status === 400 ? 400 : 404);
    },
    { shared: library },
  ),
  check(
    'box/http/query',
    ['box/endpoints/2'],
    'ignores the query string when it matches a path',
    async (box) => {
      for (const path of ['/', '/apps', '/apps/', '/api/apps', '/api/bundled', '/api/self/update/status']) {
        status(await box.get(`${path}?a=1&b=/x`), 200);
        status(await box.get(`${path}?`), 200);
      }
      equal('settings', (await box.get('/api/apps/cairn/settings?x=/settings')).status, 200);
      refused(await box.get('/api/nowhere?/api/apps'), 404, 'not found');
      refused(await box.post('/api/apps/remove?name=cairn', {}), 400, "missing or empty 'name' field");
    },
    { shared: library },
  ),
  check(
    'box/http/json-headers',
    ['box/endpoints/3', 'box/endpoints/4', 'box/endpoints/6', 'box/errors/1', 'box/service/1'],
    'sends JSON as application/json with the length of its bytes, errors included',
    async (box) => {
      for (const path of [
        '/api/apps',
        '/api/bundled',
        '/api/self/update/status',
        '/api/apps/cairn/settings',
        '/nowhere',
      ]) {
        const answer = await box.get(path);
        equal('Content-Type', answer.headers['content-type'], 'application/json');
        equal('Content-Length', answer.headers['content-length'], String(answer.body.length));
      }
      const error = await box.post('/api/apps/install', '{');
      equal('Content-Type of an error', error.headers['content-type'], 'application/json');
      equal('Content-Length of an error', error.headers['content-length'], String(error.body.length));
    },
    { shared: library, verifies: ['json', 'content-length', 'error'] },
  ),
  check(
    'box/http/no-authentication',
    ['box/auth/1', 'box/errors/3'],
    'requires no credentials',
    async (box) => {
      for (const headers of [{}, { Authorization: 'Bearer nonsense' }, { Cookie: 'session=nonsense' }] as const) {
        for (const path of ['/', '/api/apps', '/api/bundled', '/api/apps/cairn/settings']) {
          status(await box.get(path, headers), 200);
        }
        refused(await box.post('/api/apps/remove', {}, headers), 400, "missing or empty 'name' field");
        refused(await box.post('/api/apps/nobody/update', {}, headers), 404);
      }
    },
    { shared: library },
  ),
  check(
    'box/http/head',
    ['choice/box/1'],
    'answers HEAD as GET without a body',
    async (box) => {
      for (const path of ['/', '/api/apps', '/api/apps/cairn/settings', '/nowhere']) {
        const get = await box.get(path);
        const head = await box.request({ method: 'HEAD', path });
        equal('status', head.status, get.status);
        equal('no body', head.body.length, 0);
        for (const name of ['content-type', 'content-length']) equal(name, head.headers[name], get.headers[name]);
      }
    },
    { shared: library },
  ),
  check(
    'box/http/other-methods',
    ['choice/box/2'],
    'answers 405 with Allow to other methods on any path',
    async (box) => {
      for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
        for (const [path, allowed] of [
          ['/api/apps', 'GET, HEAD'],
          ['/api/apps/install', 'POST'],
          ['/api/apps/cairn/settings', 'GET, HEAD, POST'],
          ['/nowhere', ''],
        ] as const) {
          const answer = await box.request({ method, path });
          refused(answer, 405, 'method not allowed');
          equal(`Allow of ${path}`, answer.headers.allow, allowed);
        }
      }
      const connect = 'CONNECT 127.0.0.1:9 HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const page = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const { responses } = await box.raw({ parts: [page + page + connect], responses: 4 });
      equal('statuses of two requests and a CONNECT in one packet', pluck(responses, 'status'), [200, 200, 405]);
      // A client that disconnects without reading, or asks for a tunnel, does not affect others.
      const many = 'GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(900);
      for (let round = 0; round < 10; round += 1)
        await box.raw({
          parts: [many + connect],
          resets: true,
        });
      status(await box.get('/api/apps'), 200);
    },
    { shared: library },
  ),
  check(
    'box/http/other-table',
    ['choice/box/3', 'choice/box/5'],
    'answers a GET of a POST path, and a POST of a GET path, like any unknown path of that method',
    async (box) => {
      for (const path of [...postOnly, '/api/apps/settings']) refused(await box.get(path), 404, 'not found');
      for (const path of ['/', '/api/apps', '/api/bundled', '/api/apps/settings', '/api/apps/update']) {
        refused(await box.post(path, {}), 400, "missing or empty 'name' field");
        refused(await box.post(path, { name: 'x' }), 404, 'not found');
      }
    },
    { shared: library },
  ),
  check(
    'box/http/not-decoded',
    ['choice/box/4', 'choice/box/29', 'choice/box/30'],
    'compares paths byte for byte and decodes nothing',
    async (box) => {
      for (const path of ['//api/apps', '/api/apps;x', '/api/%61pps', '/%61pps'])
        refused(await box.get(path), 404, 'not found');
      for (const name of ['%2e%2e', '..', '.', '%63airn', 'cairn%2f', 'cairn%00', 'CAIRN', 'c'.repeat(300)]) {
        refused(await box.get(`/api/apps/${name}/settings`), 404);
        refused(await box.post(`/api/apps/${name}/settings`, { settings: {} }), 404);
        refused(await box.post(`/api/apps/${name}/update`), 404);
      }
    },
    { shared: library },
  ),
  check(
    'box/http/headers-on-every-answer',
    ['choice/box/18'],
    'sends its own headers with every response',
    async (box) => {
      const answers = [
        await box.get('/'),
        await box.get('/api/apps', { Origin: 'http://evil.example' }),
        await box.get('/nowhere'),
        await box.post('/api/apps/install', '{'),
        await box.request({ method: 'PUT', path: '/api/apps' }),
      ];
      for (const answer of answers) {
        equal('Cache-Control', answer.headers['cache-control'], 'no-store');
        equal('X-Content-Type-Options', answer.headers['x-content-type-options'], 'nosniff');
        matches('Server', answer.headers.server, /^boxgate\/\d+\.\d+\.\d+/);
      }
    },
    { shared: library, verifies: ['headers'] },
  ),
  check(
    'box/http/whole-address',
    ['choice/box/170'],
    'accepts an absolute URL as the request target',
    async (box) => {
      const targets = ['http://localhost/api/apps', 'HTTPS://x:1/api/bundled?a', 'http://localhost'];
      for (const target of [...targets, '*']) {
        const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
        const { responses } = await box.raw({ parts: [head] });
        equal(`status for ${target}`, responses[0]?.status, targets.includes(target) ? 200 : 404);
      }
    },
    { shared: library },
  ),
];
