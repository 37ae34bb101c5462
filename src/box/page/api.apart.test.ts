import { equal, match } from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { exchange } from './api.js';

const origin = 'http://box.test';
const network = setupServer();

const openedAt = (port: string) => Object.assign(globalThis, { location: { hostname: 'box.example.org', port } });

before(() => network.listen({ onUnhandledFrame: 'error' }));
afterEach(() => network.resetHandlers());
after(() => network.close());

const send = (method: 'get' | 'post', path: string) => exchange(origin + path, { method });

function answers(method: 'get' | 'post', path: string, answer: () => Response): void {
  network.use(http[method](origin + path, answer));
}

test('a page that a proxy answers in place of the box is a lost connection too', async () => {
  answers('post', '/api/apps/wiki/update', () => HttpResponse.html('<h1>504 Gateway Time-out</h1>', { status: 504 }));
  const outcome = await send('post', '/api/apps/wiki/update');
  equal(outcome.kind, 'lost');
  match('message' in outcome ? outcome.message : '', /504/);
});

test('JSON that is not the error form of the box did not come from it', async () => {
  answers('get', '/api/apps', () => HttpResponse.json({ message: 'no upstream' }, { status: 502 }));
  equal((await send('get', '/api/apps')).kind, 'lost');
});

test('a refused origin is told with the flag only on a default port: on another one the flag cannot help', async () => {
  const hintAt = async (port: string) => {
    answers('post', '/api/apps/remove', () => HttpResponse.json({ error: 'cross-site.' }, { status: 403 }));
    openedAt(port);
    const outcome = await send('post', '/api/apps/remove');
    return 'message' in outcome ? outcome.message : '';
  };
  match(
    await hintAt(''),
    /^cross-site\. .* Host header, or add box\.example\.org to BOX_ALLOWED_HOSTS in \S+ \(or start it with --allowed-host box\.example\.org\)\.$/,
  );
  equal(
    await hintAt('8443'),
    "cross-site. If this address is your box's own, let the box's proxy pass on the Host header.",
  );
});
