import { type Check, check } from '../../../kernel/check.ts';
import type { Exchange } from '../../../kernel/exchange.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { ensure, equal, pluck, refused, status } from '../../../kernel/expect.ts';
import type { GatewayContext, LiveBox } from '../context.ts';
import { shared, texts } from '../shared-fixture.ts';

type Row = { method: string; path: string; body?: unknown };

/** A request of every endpoint that needs a box token. With a valid token, each would succeed. */
function guarded(gateway: GatewayContext, box: LiveBox, routeId: string): Row[] {
  return [
    { method: 'POST', path: `/v1/boxes/${box.id}/heartbeat` },
    { method: 'POST', path: `/v1/boxes/${box.id}/rotate-token` },
    { method: 'POST', path: `/v1/boxes/${box.id}/deregister` },
    { method: 'GET', path: '/v1/routes' },
    { method: 'POST', path: '/v1/routes', body: { app_name: 'a', subdomain: gateway.label(), port: 80 } },
    { method: 'DELETE', path: `/v1/routes/${routeId}` },
  ];
}

/** Verifies that every guarded request with these headers is refused with this text and changes nothing. */
async function refusesAll(gateway: GatewayContext, headers: Record<string, string>, text: string) {
  const box = await gateway.box();
  const route = await gateway.route(box);
  for (const row of guarded(gateway, box, route.id)) {
    refused(await gateway.request({ ...row, headers }), 401, text);
  }
  status(await gateway.heartbeat(box), 200);
  equal('the routes are as they were', (await gateway.routes(box)).length, 1);
}

const rawHeartbeat = (box: LiveBox, ...headers: string[]) =>
  [`POST /v1/boxes/${box.id}/heartbeat HTTP/1.1`, 'Host: localhost', 'Content-Length: 0', ...headers, '', ''].join(
    '\r\n',
  );

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/authentication/missing',
    [
      'gateway/auth/6',
      'gateway/heartbeatBox/2',
      'gateway/rotateBoxToken/2',
      'gateway/deregisterBox/2',
      'gateway/listRoutes/4',
      'gateway/publishRoute/9',
      'gateway/unpublishRoute/4',
      'gateway/errors/4',
    ],
    'answers 401 missing bearer token at every box endpoint if there is no header',
    (gateway) => refusesAll(gateway, {}, texts.missingToken),
    shared,
  ),
  ...['Basic eDp5', 'Token abc', 'Digest username="x"', 'BearerX abc', 'nonsense'].map((header, index) =>
    check<GatewayContext>(
      `gateway/authentication/other-scheme-${index + 1}`,
      ['gateway/auth/7', 'gateway/errors/4'],
      `answers 401 missing bearer token when the header is ${header}`,
      (gateway) => refusesAll(gateway, { Authorization: header }, texts.missingToken),
      shared,
    ),
  ),
  check(
    'gateway/authentication/invalid',
    [
      'gateway/auth/8',
      'gateway/auth/1',
      'gateway/heartbeatBox/2',
      'gateway/rotateBoxToken/2',
      'gateway/deregisterBox/2',
      'gateway/listRoutes/4',
      'gateway/publishRoute/9',
      'gateway/unpublishRoute/4',
    ],
    'answers 401 invalid or expired box token at every box endpoint to an unknown token',
    async (gateway) => {
      await refusesAll(gateway, bearer('nonsense'), texts.invalidToken);
      await refusesAll(gateway, bearer(gateway.environment.registrationToken), texts.invalidToken);
    },
    shared,
  ),
  check(
    'gateway/authentication/foreign-letter',
    ['choice/gateway/59'],
    'answers 401 invalid or expired box token to a token with a letter that no token has',
    async (gateway) => refused(await gateway.get('/v1/routes', bearer('wr\u00f6ng')), 401, texts.invalidToken),
    shared,
  ),
  check(
    'gateway/authentication/nearly',
    ['gateway/auth/8'],
    "refuses a token that is similar to a box's token",
    async (gateway) => {
      const box = await gateway.box();
      const { token } = box;
      const changed = (at: number) => `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
      const middle = Math.floor(token.length / 2);
      const near = [token.slice(0, -1), token.slice(1), `${token}A`, changed(token.length - 2), changed(middle)];
      const cases = [token.toUpperCase(), token.toLowerCase()].filter((one) => one !== token);
      for (const wrong of [...near, ...cases]) {
        refused(await gateway.list({ ...box, token: wrong }), 401, texts.invalidToken);
        refused(await gateway.heartbeat({ ...box, token: wrong }), 401, texts.invalidToken);
      }
      refused(await gateway.list({ ...box, token: box.id }), 401, texts.invalidToken);
    },
    shared,
  ),
  check(
    'gateway/authentication/other-box',
    [
      'gateway/rules/2',
      'gateway/heartbeatBox/3',
      'gateway/rotateBoxToken/3',
      'gateway/deregisterBox/3',
      'gateway/errors/5',
    ],
    'answers 403 to the token of another box, and changes neither box',
    async (gateway) => {
      const [mine, other] = [await gateway.box(), await gateway.box()];
      await gateway.route(other);
      const caller = { id: other.id, token: mine.token };
      for (const act of [gateway.heartbeat, gateway.rotate, gateway.deregister]) {
        refused(await act(caller), 403, texts.otherBox);
      }
      for (const box of [mine, other]) status(await gateway.heartbeat(box), 200);
      equal('routes of the other box', (await gateway.routes(other)).length, 1);
    },
    shared,
  ),
  check(
    'gateway/authentication/box-that-is-gone',
    ['gateway/rules/2'],
    'answers 403 to a token for a deregistered box, or for an id similar to its own',
    async (gateway) => {
      const [mine, gone] = [await gateway.box(), await gateway.box()];
      status(await gateway.deregister(gone), 200);
      for (const act of [gateway.heartbeat, gateway.rotate, gateway.deregister]) {
        refused(await act({ id: gone.id, token: mine.token }), 403, texts.otherBox);
      }
      for (const id of [`${mine.id}0`, mine.id.slice(0, -1)]) {
        if (id !== '') refused(await gateway.heartbeat({ ...mine, id }), 403, texts.otherBox);
      }
      status(await gateway.heartbeat(mine), 200);
    },
    shared,
  ),
  check(
    'gateway/authentication/challenge',
    ['choice/gateway/23'],
    'names its authentication scheme, but not for a registration',
    async (gateway) => {
      const asked = [await gateway.get('/v1/routes'), await gateway.get('/v1/routes', bearer('nonsense'))];
      for (const answer of asked) equal('WWW-Authenticate', answer.headers['www-authenticate'], 'Bearer');
      const registration = await gateway.register({ registration_token: 'wrong' });
      refused(registration, 401);
      equal('WWW-Authenticate', registration.headers['www-authenticate'], undefined);
    },
    shared,
  ),
  check(
    'gateway/authentication/form-of-the-header',
    ['choice/gateway/54', 'choice/gateway/55'],
    'accepts Bearer in any case and with several spaces, and refuses other forms',
    async (gateway) => {
      const box = await gateway.box();
      const ask = (header: string): Promise<Exchange> => gateway.get('/v1/routes', { Authorization: header });
      for (const word of ['Bearer ', 'bearer ', 'BEARER ', 'Bearer   ']) status(await ask(`${word}${box.token}`), 200);
      for (const empty of ['Bearer', 'Bearer ', 'bearer', 'Bearer    '])
        refused(await ask(empty), 401, texts.missingToken);
      const other = [`XBearer ${box.token}`, `Basic Bearer ${box.token}`, `Bearer\t${box.token}`];
      for (const joined of [`Bearer${box.token}`, `Bearer,${box.token}`, box.token, ...other]) {
        refused(await ask(joined), 401, texts.missingToken);
      }
    },
    shared,
  ),
  check(
    'gateway/authentication/two-headers',
    ['choice/gateway/56'],
    'refuses a request with two Authorization headers',
    async (gateway) => {
      const box = await gateway.box();
      const good = `Authorization: Bearer ${box.token}`;
      for (const second of [good, 'Authorization: Bearer nonsense', 'authorization: Basic eDp5']) {
        const parts = [rawHeartbeat(box, good, second)];
        const { responses, closed } = await gateway.raw({ parts, responses: 2 });
        equal('status', pluck(responses, 'status'), [400]);
        ensure('the connection closes', closed);
      }
      // Headers with a similar name or value are not a second Authorization header.
      const others = ['Cache-Control: no-cache', 'If-None-Match: "x"', 'X-Asks: authorization'];
      for (const more of [[], others, ['Cache-Control: authorization', 'authorizatiox: x']]) {
        for (const headers of [
          [good, ...more],
          [...more, good],
        ]) {
          const { responses } = await gateway.raw({ parts: [rawHeartbeat(box, ...headers)] });
          equal(`status with one and ${more.length} others`, responses[0]?.status, 200);
        }
      }
      const far = [good, ...Array.from({ length: 30 }, (_, index) => `X-Filler-${index}: x`), good];
      const { responses } = await gateway.raw({ parts: [rawHeartbeat(box, ...far)] });
      equal('status with two that are far apart', responses[0]?.status, 400);
      const without = rawHeartbeat(box, 'Cache-Control: x', 'If-None-Match: x');
      equal('status with none', (await gateway.raw({ parts: [without] })).responses[0]?.status, 401);
    },
    shared,
  ),
  check(
    'gateway/authentication/nowhere-else',
    ['choice/gateway/57'],
    'reads the token only from the header',
    async (gateway) => {
      const box = await gateway.box();
      const { token } = box;
      refused(
        await gateway.get(`/v1/routes?token=${token}&access_token=${token}&box_token=${token}`),
        401,
        texts.missingToken,
      );
      refused(
        await gateway.get('/v1/routes', { Cookie: `token=${token}; box_token=${token}` }),
        401,
        texts.missingToken,
      );
      refused(await gateway.get('/v1/routes', { 'X-Box-Token': token, 'Proxy-Authorization': `Bearer ${token}` }), 401);
      const body = { app_name: 'a', subdomain: gateway.label(), port: 80, box_token: token, token };
      refused(await gateway.post('/v1/routes', body), 401, texts.missingToken);
    },
    shared,
  ),
  check(
    'gateway/authentication/unknown-box',
    ['choice/gateway/64', 'choice/gateway/15'],
    'answers for an unknown id as for another box: 403 with a token, 401 without',
    async (gateway) => {
      const box = await gateway.box();
      for (const id of ['box_0000000000000000', 'x', '..', box.id.toUpperCase(), `${box.id}x`, 'register']) {
        for (const act of [gateway.heartbeat, gateway.rotate, gateway.deregister]) {
          refused(await act({ id, token: box.token }), 403, texts.otherBox);
          refused(await act({ id, token: 'nonsense' }), 401, texts.invalidToken);
        }
        refused(await gateway.post(`/v1/boxes/${id}/heartbeat`), 401, texts.missingToken);
      }
      refused(await gateway.post('/v1/routes', {}, bearer('nonsense')), 401, texts.invalidToken);
      status(await gateway.heartbeat(box), 200);
    },
    shared,
  ),
];
