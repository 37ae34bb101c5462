import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, fields, pluck, refused, status } from '../../../kernel/expect.ts';
import { library } from '../apps.ts';
import type { BoxContext } from '../context.ts';

const posts = [
  '/api/apps/cairn/settings',
  '/api/apps/cairn/update',
  '/api/self/update/check',
  '/api/self/update/apply',
  '/api/apps/install',
  '/api/apps/remove',
  '/api/apps//settings',
  '/api/apps/a/b/update',
  '/api/nowhere',
  '/',
];

export const checks: Check<BoxContext>[] = [
  check(
    'box/body/invalid-json',
    ['box/body/2', 'box/body/4', 'box/errors/2'],
    'refuses a body that is not JSON before it looks at the path',
    async (box) => {
      const bodies = ['{', '{"name": "x",}', "{'name': 'x'}", 'name=x', '{"name":"x"} x', '\u0000', '{"a":01}'];
      for (const path of posts) {
        for (const body of bodies) refused(await box.post(path, body), 400, 'invalid JSON body');
      }
    },
    { shared: library },
  ),
  check(
    'box/body/invalid-utf-8',
    ['box/body/2', 'box/body/4'],
    'refuses JSON that is not UTF-8',
    async (box) => {
      const bad = [[0xff], [0xc3, 0x28], [0xc0, 0xaf], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]];
      for (const path of ['/api/apps/install', '/api/apps/cairn/settings', '/api/nowhere']) {
        for (const bytes of bad) {
          const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]);
          refused(await box.post(path, body), 400, 'invalid JSON body');
        }
      }
    },
    { shared: library },
  ),
  check(
    'box/body/not-an-object',
    ['box/body/3', 'box/body/4', 'box/errors/2'],
    'refuses JSON that is not an object before it looks at the path',
    async (box) => {
      for (const path of posts) {
        for (const body of ['[]', '[{"name":"cairn"}]', 'null', 'true', '7', '"cairn"']) {
          refused(await box.post(path, body), 400, 'body must be a JSON object');
        }
      }
    },
    { shared: library },
  ),
  check(
    'box/body/empty',
    ['box/body/6', 'box/endpoints/9'],
    'treats an empty or missing body as {}',
    async (box) => {
      const missing = "missing or empty 'name' field";
      refused(await box.post('/api/apps/install'), 400, missing);
      refused(await box.post('/api/apps/install', ''), 400, missing);
      refused(await box.post('/api/apps/remove', '', { 'Content-Length': '0' }), 400, missing);
      refused(await box.post('/api/nowhere'), 400, missing);
      refused(await box.post('/api/apps/cairn/settings'), 400, "missing or invalid 'settings' object");
      // A POST without a body and without a length, as simple command-line clients send it.
      const bare = 'POST /api/apps/install HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const [answer] = (await box.raw({ parts: [bare] })).responses;
      equal('the status without any length', answer?.status, 400);
      fields('its error', answer?.json, { error: missing });
    },
    { shared: library },
  ),
  check(
    'box/body/content-length',
    ['box/body/1'],
    'reads exactly as many bytes as Content-Length says, however they arrive',
    async (box) => {
      const body = '{"name":"ünïcode – 🗻"}';
      const bytes = Buffer.from(body);
      const head = `POST /api/nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes.length}\r\n\r\n`;
      const split = await box.raw({ parts: [head, bytes.subarray(0, 11), 40, bytes.subarray(11)] });
      ensure('one answer to a body in two parts', split.responses.length === 1, split.bytes.toString());
      fields('which is 404 not found', split.responses[0]?.json, { error: 'not found' });
      const next = 'GET /api/apps HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const piped = await box.raw({
        parts: [Buffer.concat([Buffer.from(head), bytes, Buffer.from(next)])],
        responses: 2,
      });
      // A server that closes each connection after its response never reads the second request.
      const closedAtOnce = piped.closed && piped.responses.length === 1;
      equal(
        'what follows the body is the next request',
        pluck(piped.responses, 'status'),
        closedAtOnce ? [404] : [404, 200],
      );
    },
    { shared: library },
  ),
  check(
    'box/body/outside-the-table',
    ['box/body/5', 'box/endpoints/9', 'box/endpoints/10', 'box/endpoints/1'],
    'refuses a POST to an unknown path for its name first, and then as not found',
    async (box) => {
      const paths = [
        '/',
        '/api/apps',
        '/api/apps/',
        '/api/apps/install/',
        '/api/apps/cairn',
        '/API/apps/install',
        '/apps',
      ];
      for (const path of [...paths, '/api/apps/cairn/settings/', '/api/self/update/status', '/api/bundled']) {
        for (const name of ['', null, 7, ['cairn'], {}, true]) {
          refused(await box.post(path, { name }), 400, "missing or empty 'name' field");
        }
        refused(await box.post(path, { name: 'cairn' }), 404, 'not found');
      }
      status(await box.get('/api/apps'), 200);
    },
    { shared: library },
  ),
];
