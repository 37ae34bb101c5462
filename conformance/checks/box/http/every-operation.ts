import { type Check, check } from '../../../kernel/check.ts';
import { equal, refused } from '../../../kernel/expect.ts';
import { refusesLongBodies, refusesOtherProtocols } from '../../http/malformed.ts';
import { library } from '../apps.ts';
import type { BoxContext } from '../context.ts';

const pages = ['/', '/apps', '/apps/'];
const reads = ['/api/apps', '/api/bundled', '/api/apps/cairn/settings', '/api/self/update/status'];
const posts = [
  '/api/apps/cairn/settings',
  '/api/apps/cairn/update',
  '/api/self/update/check',
  '/api/self/update/apply',
  '/api/apps/install',
  '/api/apps/remove',
];
const all = [
  ...[...pages, ...reads].map((path) => ['GET', path] as const),
  ...posts.map((path) => ['POST', path] as const),
];

/** Rules that apply to every operation, checked for each. */
export const checks: Check<BoxContext>[] = [
  check(
    'box/every-operation/body-limit',
    ['choice/box/7'],
    'refuses a body whose announced length is over 1 MiB, at every operation',
    (box) => refusesLongBodies(box.raw, all, 2 ** 20),
    { shared: library },
  ),
  check(
    'box/every-operation/method',
    ['choice/box/2'],
    'answers 405 with Allow to an unsupported method, at the path of every operation',
    async (box) => {
      for (const path of new Set(all.map(([, each]) => each))) {
        const answer = await box.request({ method: 'DELETE', path });
        refused(answer, 405, 'method not allowed');
        const methods = all.flatMap(([method, each]) => (each === path ? [method] : []));
        const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
        equal(`Allow of ${path}`, answer.headers.allow, allowed.join(', '));
      }
    },
    { shared: library },
  ),
  check(
    'box/every-operation/malformed',
    ['choice/box/14'],
    'answers 400 to a request that is not HTTP/1.1, at the path of every operation',
    (box) => refusesOtherProtocols(box.raw, all),
    { shared: library },
  ),
  check(
    'box/every-operation/cross-site',
    ['choice/box/20'],
    'refuses cross-site requests at every operation that changes something',
    async (box) => {
      for (const path of posts) refused(await box.post(path, {}, { 'Sec-Fetch-Site': 'cross-site' }), 403);
    },
    { shared: library },
  ),
  check(
    'box/every-operation/foreign-host',
    ['choice/box/24'],
    'answers 421 to a foreign Host at every operation that changes something or shows settings',
    async (box) => {
      const headers = { Host: 'evil.example' };
      for (const path of posts) refused(await box.post(path, {}, headers), 421);
      refused(await box.get('/api/apps/cairn/settings', headers), 421);
    },
    { shared: library },
  ),
];
