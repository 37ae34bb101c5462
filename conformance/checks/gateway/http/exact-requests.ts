import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { equal, refused, status } from '../../../kernel/expect.ts';
import { almostJson, encodings } from '../../http/almost-json.ts';
import type { GatewayContext } from '../context.ts';
import { shared, texts } from '../shared-fixture.ts';

/** The object with its keys in another case. */
const renamed = (fields: object, change: (key: string) => string) =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [change(key), value]));

const inCapitals = (key: string) => key.toUpperCase();
const inGoStyle = (key: string) =>
  key.replace(/(^|_)([a-z])/g, (_, start: string, letter: string) => start + inCapitals(letter));

const registration = ({ environment }: GatewayContext) => ({
  registration_token: environment.registrationToken,
  box_name: 'weir',
});
const publication = (gateway: GatewayContext) => ({ app_name: 'lantern', subdomain: gateway.label(), port: 3000 });

/** Requests that are almost those of the API, and that libraries of some languages take for them. */
export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/body/keys-in-another-case',
    [
      'gateway/registerBox/2',
      'gateway/registerBox/3',
      'gateway/publishRoute/2',
      'gateway/publishRoute/3',
      'gateway/publishRoute/4',
    ],
    'does not take a key in another case, such as BOX_NAME, for the key',
    async (gateway) => {
      const box = await gateway.box();
      for (const change of [inCapitals, inGoStyle, (key: string) => `${key} `, (key: string) => key.replace('_', '')]) {
        for (const key of ['registration_token', 'box_name']) {
          const body = renamed(registration(gateway), (one) => (one === key ? change(one) : one));
          refused(await gateway.post('/v1/boxes/register', body), 400, texts.registrationFields);
        }
      }
      for (const change of [inCapitals, inGoStyle]) {
        for (const key of ['app_name', 'subdomain', 'port']) {
          const body = renamed(publication(gateway), (one) => (one === key ? change(one) : one));
          refused(await gateway.post('/v1/routes', body, bearer(box.token)), 400, texts.routeFields);
        }
      }
      equal('routes', await gateway.routes(box), []);
    },
    shared,
  ),
  check(
    'gateway/body/other-encodings',
    ['gateway/endpoints/5'],
    'treats JSON in UTF-16 or UTF-32, and JSON with bytes that are not UTF-8, as {}',
    async (gateway) => {
      const box = await gateway.box();
      const [register, publish] = [JSON.stringify(registration(gateway)), JSON.stringify(publication(gateway))];
      for (const body of [...encodings(register), ...withOtherBytes(register, 'weir')])
        refused(await gateway.post('/v1/boxes/register', body), 400, texts.registrationFields);
      for (const body of [...encodings(publish), ...withOtherBytes(publish, 'lantern')])
        refused(await gateway.post('/v1/routes', body, bearer(box.token)), 400, texts.routeFields);
      equal('routes', await gateway.routes(box), []);
    },
    shared,
  ),
  check(
    'gateway/body/almost-json',
    ['gateway/endpoints/5'],
    'treats NaN, Infinity, line breaks in strings, and a second value after the first as {}',
    async (gateway) => {
      const whole = JSON.stringify(registration(gateway)).slice(0, -1);
      for (const body of almostJson) {
        const more = body.replace(/^\{"name"/, `${whole},"name"`);
        refused(await gateway.post('/v1/boxes/register', more), 400, texts.registrationFields);
      }
    },
    shared,
  ),
  check(
    'gateway/body/any-content-type',
    ['gateway/registerBox/1', 'gateway/publishRoute/1', 'gateway/endpoints/5'],
    'reads a body as JSON whatever its Content-Type says, as simple command-line clients send it',
    async (gateway) => {
      const box = await gateway.box();
      for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/octet-stream']) {
        const headers = { ...bearer(box.token), 'Content-Type': type };
        status(await gateway.post('/v1/routes', publication(gateway), headers), 201);
        refused(await gateway.post('/v1/routes', 'app_name=x&subdomain=y&port=80', headers), 400, texts.routeFields);
        const wrong = { ...registration(gateway), registration_token: 'wrong' };
        refused(await gateway.post('/v1/boxes/register', wrong, headers), 401, texts.registrationToken);
      }
    },
    shared,
  ),
  check(
    'gateway/http/head-is-not-get',
    ['gateway/endpoints/10'],
    'answers 404 to HEAD, which the table does not have',
    async (gateway) => {
      const box = await gateway.box();
      for (const path of ['/healthz', '/v1/routes', '/v1/boxes/register']) {
        const answer = await gateway.request({ method: 'HEAD', path, headers: bearer(box.token) });
        status(answer, 404);
      }
    },
    shared,
  ),
  check(
    'gateway/http/encoded-paths',
    ['gateway/endpoints/3', 'gateway/endpoints/9'],
    'does not decode or clean a path before it is matched, and redirects nowhere',
    async (gateway) => {
      const box = await gateway.box();
      const headers = bearer(box.token);
      const gets = ['/%68ealthz', '/v1/%72outes', '/v1%2Froutes', '//v1/routes', '/v1/../healthz', '/v1/./routes'];
      for (const path of gets) refused(await gateway.get(path, headers), 404, texts.notFound);
      const body = registration(gateway);
      for (const path of [
        '/v1/boxes/%72egister',
        '/v1%2Fboxes/register',
        '//v1/boxes/register',
        '/v1/boxes/./register',
      ])
        refused(await gateway.post(path, body, headers), 404, texts.notFound);
      const route = publication(gateway);
      for (const path of ['/v1/%72outes', '//v1/routes'])
        refused(await gateway.post(path, route, headers), 404, texts.notFound);
      const deregister = `/v1/boxes/${box.id}/%64eregister`;
      refused(await gateway.post(deregister, undefined, headers), 404, texts.notFound);
      equal('routes', await gateway.routes(box), []);
    },
    shared,
  ),
  check(
    'gateway/registerBox/other-mode-any-token',
    ['gateway/registerBox/4', 'gateway/service/18', 'gateway/errors/8'],
    'answers 501 to a registration in another mode, whatever the token and the number of boxes',
    async (gateway) => {
      Object.assign(gateway.environment.variables, { GATEWAY_MODE: 'multi', GATEWAY_BOX_LIMIT: '0' });
      refused(await gateway.register(), 501);
      refused(await gateway.register({ registration_token: 'wrong' }), 501);
      await gateway.stop();
      gateway.environment.variables.GATEWAY_BOX_TOKEN = undefined;
      refused(await gateway.register({ registration_token: 'wrong' }), 501);
    },
  ),
  check(
    'gateway/publishRoute/port-is-an-integer',
    ['gateway/publishRoute/8', 'gateway/errors/3'],
    'refuses a port that is a text or a fraction with 400, and does not store the route',
    async (gateway) => {
      const box = await gateway.box();
      for (const port of ['3000', ' 3000', '0x50', 3000.5, 0.5, true, [3000], 1e300])
        refused(await gateway.publish(box, { port }), 400);
      equal('routes', await gateway.routes(box), []);
    },
    shared,
  ),
];

/** The JSON text with bytes inside one of its strings that are not UTF-8. */
function withOtherBytes(text: string, string: string): Buffer[] {
  const at = text.indexOf(string) + 1;
  const others = [[0xff], [0xc3, 0x28], [0xe9], [0xed, 0xa0, 0x80], [0xc0, 0xaf]];
  return others.map((bytes) =>
    Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from(bytes), Buffer.from(text.slice(at))]),
  );
}
