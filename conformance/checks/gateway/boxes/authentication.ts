import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { equal, refused, status, variant } from '../../../kernel/expect.ts';
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
  check(
    'gateway/authentication/elsewhere',
    ['gateway/auth/1', 'gateway/auth/6', 'gateway/listRoutes/4'],
    'takes no box token from the query, a cookie or another header',
    async (gateway) => {
      const { token } = await gateway.box();
      for (const name of ['token', 'box_token', 'access_token', 'bearer']) {
        const answer = await gateway.get(`/v1/routes?${name}=${encodeURIComponent(token)}`);
        // With a query it may be an unknown path.
        refused(answer, answer.status === 404 ? 404 : 401);
        refused(await gateway.get('/v1/routes', { Cookie: `${name}=${token}` }), 401, texts.missingToken);
      }
      for (const name of ['X-Box-Token', 'X-Auth-Token', 'X-Api-Key', 'Proxy-Authorization'])
        for (const value of [token, `Bearer ${token}`])
          refused(await gateway.get('/v1/routes', { [name]: value }), 401, texts.missingToken);
    },
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
      const { registrationToken } = gateway.environment;
      await variant('the text "nonsense"', () => refusesAll(gateway, bearer('nonsense'), texts.invalidToken));
      await variant('the registration token', () => refusesAll(gateway, bearer(registrationToken), texts.invalidToken));
    },
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
      const near: Record<string, string> = {
        'without its last character': token.slice(0, -1),
        'without its first character': token.slice(1),
        'with an A behind it': `${token}A`,
        'with another last but one character': changed(token.length - 2),
        'with another character in the middle': changed(middle),
        'in capitals': token.toUpperCase(),
        'in small letters': token.toLowerCase(),
      };
      for (const [what, wrong] of Object.entries(near)) {
        if (wrong === token) continue;
        await variant(`the token ${what}`, async () => {
          refused(await gateway.list({ ...box, token: wrong }), 401, texts.invalidToken);
          refused(await gateway.heartbeat({ ...box, token: wrong }), 401, texts.invalidToken);
        });
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
];
