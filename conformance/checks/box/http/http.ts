import { type Check, check } from '../../../kernel/check.ts';
import { equal, refused, status } from '../../../kernel/expect.ts';
import { answersRequestsInOrder } from '../../http/one-connection.ts';
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
      // The requirements do not say whether this path contains an empty name.
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
    'box/http/keep-alive',
    ['box/service/1', 'box/endpoints/4'],
    'answers sequential requests on one connection completely, or closes it after the first',
    (box) => answersRequestsInOrder(box.raw, '/api/bundled'),
    { shared: library },
  ),
];
