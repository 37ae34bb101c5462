import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { ensure, equal, fields, pluck, refused, status } from '../../../kernel/expect.ts';
import { answersExpectContinue } from '../../http/expect-continue.ts';
import type { GatewayContext, LiveBox } from '../context.ts';
import { shared, texts } from '../shared-fixture.ts';

/** Verifies that a body is treated as `{}`: the first required field is reported as missing. */
async function countsAsEmpty(gateway: GatewayContext, box: LiveBox, body: unknown) {
  refused(await gateway.post('/v1/boxes/register', body), 400, texts.registrationFields);
  refused(await gateway.post('/v1/routes', body, bearer(box.token)), 400, texts.routeFields);
  status(await gateway.post(`/v1/boxes/${box.id}/heartbeat`, body, bearer(box.token)), 200);
}

const authorized = ({ token }: LiveBox) => `Authorization: Bearer ${token}\r\n`;

const whole = (gateway: GatewayContext) =>
  JSON.stringify({ registration_token: gateway.environment.registrationToken, box_name: 'weir' });

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/body/empty',
    ['gateway/endpoints/4'],
    'treats an empty or missing body as {}',
    async (gateway) => {
      const box = await gateway.box();
      for (const body of [undefined, '', '{}']) await countsAsEmpty(gateway, box, body);
      // A POST without a body and without a length, as simple command-line clients send it.
      const bare = (path: string) =>
        gateway.raw({ parts: [`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${authorized(box)}\r\n`] });
      const [registration] = (await bare('/v1/boxes/register')).responses;
      equal('the status of a registration', registration?.status, 400);
      fields('its error', registration?.json, { error: texts.registrationFields });
      const [heartbeat] = (await bare(`/v1/boxes/${box.id}/heartbeat`)).responses;
      equal('a heartbeat', heartbeat?.status, 200);
    },
    shared,
  ),
  check(
    'gateway/body/invalid-json',
    ['gateway/endpoints/5', 'gateway/registerBox/2', 'gateway/publishRoute/2'],
    'treats invalid JSON as {}',
    async (gateway) => {
      const box = await gateway.box();
      const route = '{"app_name":"a","subdomain":"s","port":80';
      const bodies = [
        '{',
        route,
        `${whole(gateway)},`,
        `${whole(gateway)} x`,
        "{'box_name': 'x'}",
        `registration_token=${gateway.environment.registrationToken}&box_name=weir`,
        ' ',
        '\u0000',
        '{"a":01}',
      ];
      for (const body of bodies) await countsAsEmpty(gateway, box, body);
    },
    shared,
  ),
  check(
    'gateway/body/not-an-object',
    ['gateway/endpoints/6', 'gateway/registerBox/3', 'gateway/publishRoute/4'],
    'treats JSON that is not an object as {}',
    async (gateway) => {
      const box = await gateway.box();
      for (const body of ['[]', `[${whole(gateway)}]`, 'null', 'true', '7', '"box"', JSON.stringify(whole(gateway))]) {
        await countsAsEmpty(gateway, box, body);
      }
    },
    shared,
  ),
  check(
    'gateway/body/content-length',
    ['gateway/service/1', 'gateway/registerBox/5'],
    'reads exactly as many bytes as Content-Length says, however they arrive',
    async (gateway) => {
      const bytes = Buffer.from(JSON.stringify({ registration_token: 'wrong', box_name: 'ünïcode – 🗻' }));
      const head = `POST /v1/boxes/register HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes.length}\r\n\r\n`;
      const split = await gateway.raw({ parts: [head, bytes.subarray(0, 31), 40, bytes.subarray(31)] });
      equal('the answer to a body in two parts', split.responses[0]?.status, 401);
      const next = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const piped = await gateway.raw({
        parts: [Buffer.concat([Buffer.from(head), bytes, Buffer.from(next)])],
        responses: 2,
      });
      const statuses = piped.responses.map((one) => one.status);
      // A server that closes each connection after its response never reads the second request.
      equal(
        'what follows the body is the next request',
        statuses,
        piped.closed && statuses.length === 1 ? [401] : [401, 200],
      );
    },
    shared,
  ),
  check(
    'gateway/body/unused',
    ['choice/gateway/12'],
    'reads the body of a request that needs none, so that the next request begins behind it',
    async (gateway) => {
      const next = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const box = await gateway.box();
      for (const asked of [`POST /v1/boxes/${box.id}/heartbeat`, 'DELETE /v1/routes/no-such-route']) {
        const first = `${asked} HTTP/1.1\r\nHost: localhost\r\n${authorized(box)}Content-Length: 9\r\n\r\n{"x": "y"`;
        const { responses, closed } = await gateway.raw({ parts: [first + next], responses: 2 });
        const own = asked.startsWith('POST') ? 200 : 404;
        equal(
          `the answers to ${asked} with a body, and to what follows it`,
          pluck(responses, 'status'),
          // Closing a connection with unread bytes may discard the response.
          closed && responses.length < 2 ? responses.map(() => own) : [own, 200],
        );
      }
    },
    shared,
  ),
  check(
    'gateway/body/chunked',
    ['choice/gateway/7', 'choice/gateway/9'],
    'reads a chunked body, whatever its Content-Type is',
    async (gateway) => {
      const headers = { 'Transfer-Encoding': 'chunked', 'Content-Type': 'text/plain' };
      status(await gateway.post('/v1/boxes/register', whole(gateway), headers), 201);
      refused(await gateway.post('/v1/boxes/register', '{', headers), 400, texts.registrationFields);
    },
    shared,
  ),
  check(
    'gateway/body/limit',
    ['choice/gateway/8', 'choice/gateway/15'],
    'reads 64 KiB and refuses a byte more with 413, on every path, before it reads the body',
    async (gateway) => {
      const body = (bytes: number) => `{"padding":"${'x'.repeat(bytes - 14)}"}`;
      refused(await gateway.post('/v1/boxes/register', body(65536)), 400, texts.registrationFields);
      for (const path of ['/v1/boxes/register', '/v1/routes', '/nowhere', '/v1/boxes/x/heartbeat']) {
        refused(await gateway.post(path, body(65537)), 413);
      }
      const chunk = `${(40_000).toString(16)}\r\n${'x'.repeat(40_000)}\r\n`;
      const tooMuch = [
        ['POST /v1/routes HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65537\r\n\r\n'],
        ['POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65537\r\n\r\n'],
        ['POST /v1/routes HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n', chunk, chunk],
      ];
      const sent = tooMuch.map((parts) => gateway.raw({ parts, responses: 2 }));
      for (const { responses, closed } of await Promise.all(sent)) {
        equal('status without all bytes of the body', pluck(responses, 'status'), [413]);
        ensure('the connection closes', closed);
      }
      await answersExpectContinue(gateway.raw, { path: '/v1/routes', limit: 65536, refusal: 401 });
    },
    shared,
  ),
  check(
    'gateway/body/duplicate-keys',
    ['choice/gateway/10'],
    'uses the last of two equal keys',
    async (gateway) => {
      const token = JSON.stringify(gateway.environment.registrationToken);
      const first = `{"registration_token":${token},"box_name":"x","box_name":""}`;
      refused(await gateway.post('/v1/boxes/register', first), 400, texts.registrationFields);
      const last = `{"registration_token":"wrong","registration_token":${token},"box_name":"","box_name":"x"}`;
      status(await gateway.post('/v1/boxes/register', last), 201);
    },
    shared,
  ),
  check(
    'gateway/body/not-utf-8',
    ['choice/gateway/11'],
    'treats JSON that is not UTF-8 or has a byte-order mark as {}',
    async (gateway) => {
      const box = await gateway.box();
      const text = whole(gateway);
      for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xe2, 0x82]]) {
        const at = text.indexOf('weir');
        const body = Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from(bytes), Buffer.from(text.slice(at))]);
        await countsAsEmpty(gateway, box, body);
      }
      await countsAsEmpty(gateway, box, `\ufeff${text}`);
    },
    shared,
  ),
  check(
    'gateway/body/where-none-is-asked-for',
    ['choice/gateway/12'],
    'ignores the body of requests that need none',
    async (gateway) => {
      const box = await gateway.box();
      const route = await gateway.route(box);
      for (const body of ['{}', '{', 'x'.repeat(60_000), { box_id: 'other', token: 'x' }]) {
        status(await gateway.request({ method: 'GET', path: '/healthz', body }), 200);
        const headers = bearer(box.token);
        status(await gateway.request({ method: 'GET', path: '/v1/routes', headers, body }), 200);
        status(await gateway.post(`/v1/boxes/${box.id}/heartbeat`, body, headers), 200);
      }
      const path = `/v1/routes/${route.id}`;
      status(await gateway.request({ method: 'DELETE', path, headers: bearer(box.token), body: { id: 'x' } }), 200);
      equal('the route is gone', await gateway.routes(box), []);
    },
    shared,
  ),
  check(
    'gateway/body/unknown-fields',
    ['choice/gateway/13'],
    'ignores unknown fields',
    async (gateway) => {
      const more = { id: 'mine', box_id: 'mine', host: 'x.example', constructor: 1, __proto: {}, limit: 0 };
      status(await gateway.register(more), 201);
      const box = await gateway.box();
      const { answer, host } = await gateway.route(box, { ...more } as never);
      equal('host', (answer.json as { host?: unknown }).host, host);
    },
    shared,
  ),
];
