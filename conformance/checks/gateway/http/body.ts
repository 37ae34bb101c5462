import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { equal, fields, refused, status } from '../../../kernel/expect.ts';
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
    'gateway/body/unknown-fields',
    ['should/gateway/13'],
    'ignores unknown fields',
    async (gateway) => {
      const more = { nickname: 'mill', constructor: 1, limits: { boxes: 0 }, tags: [] };
      status(await gateway.register(more), 201);
      const box = await gateway.box();
      status(await gateway.publish(box, more), 201);
    },
    shared,
  ),
];
