import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { type Check, check } from '../../../kernel/check.ts';
import { bearer } from '../../../kernel/exchange.ts';
import { ensure, equal, matches, record, refused, status } from '../../../kernel/expect.ts';
import { holdsForAll } from '../../../kernel/property.ts';
import type { GatewayContext } from '../context.ts';
import { serves } from '../proxy.ts';
import { findRouteId, shownId } from '../results.ts';
import { shared, texts } from '../shared-fixture.ts';

/** Parses bytes as a JSON object in UTF-8 without a byte-order mark. Returns `null` if they are not one. */
function jsonObject(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    // Not UTF-8 or not JSON.
    return null;
  }
}

const isMissing = (value: unknown) => value === undefined || value === null || value === '';

/** The reason for which the choices refuse a publication. `null` if it is valid. */
function wrongField(body: Record<string, unknown>): 'missing' | 'app_name' | 'subdomain' | 'port' | null {
  const { app_name: app, subdomain, port } = body;
  if (isMissing(app) || isMissing(subdomain) || port === undefined || port === null) return 'missing';
  if (typeof app !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(app)) return 'app_name';
  const label = /^(?!xn--)(?!.*\n)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
  if (typeof subdomain !== 'string' || !label.test(subdomain)) return 'subdomain';
  return Number.isInteger(port) && Number(port) >= 1 && Number(port) <= 65535 ? null : 'port';
}

const awkward = fc.constantFrom(
  '`',
  '"',
  "'",
  '\n',
  '{{',
  '}}',
  '\\',
  '/',
  '.',
  '-',
  '_',
  'A',
  'ä',
  '🗻',
  ' ',
  '*',
  'x',
  '0',
  'xn--',
  '\u0000',
  ')',
  '||',
);
const text = fc.array(awkward, { maxLength: 8 }).map((pieces) => pieces.join(''));
const anything = fc.oneof(text, fc.jsonValue(), fc.stringMatching(/^[a-zA-Z0-9-]{1,64}$/), fc.integer());

/** Publishes random fields. The proxy has to go on reading, and to serve no host but those of published routes. */
async function keepsProxyReading(gateway: GatewayContext, runs: number): Promise<void> {
  const box = await gateway.box();
  const { traefik, domain } = gateway.environment;
  const fields = fc.record({ app_name: text, subdomain: text, port: fc.integer({ min: -1, max: 65537 }) });
  await holdsForAll(gateway, 'the proxy reads on', fields, runs, async (asked) => {
    const answer = await gateway.publish(box, asked);
    ensure('published or refused', [201, 400, 409, 403].includes(answer.status), answer.status);
    await traefik.settled();
    equal('a file that stops the proxy', traefik.blocked, null);
    const strangers = traefik.hosts().filter((host) => !host.endsWith(`.${domain}`));
    equal('hosts outside the domain', strangers, []);
    if (answer.status !== 201) return;
    const host = `${asked.subdomain.trim()}.${domain}`;
    await serves(gateway, [domainToASCII(host) || host]);
    const { subdomain } = asked;
    const id = await findRouteId(gateway, box, { result: record(answer), subdomain });
    status(await gateway.unpublish(box, shownId(id)), 200);
  });
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/properties/bodies',
    [
      'gateway/endpoints/4',
      'gateway/endpoints/5',
      'gateway/endpoints/6',
      'gateway/registerBox/2',
      'gateway/registerBox/3',
    ],
    'treats every body that is not a JSON object, or lacks a field, as a registration with missing fields',
    async (gateway) => {
      const json = fc.json().map((one) => Buffer.from(one));
      const bytes = fc.uint8Array({ maxLength: 24 }).map((array) => Buffer.from(array));
      const whole = { registration_token: gateway.environment.registrationToken, box_name: 'weir' };
      const torn = fc
        .nat(JSON.stringify(whole).length - 1)
        .map((at) => Buffer.from(JSON.stringify(whole).slice(0, at)));
      const partly = fc
        .record({ box_name: fc.jsonValue(), x: fc.jsonValue() })
        .map((body) => Buffer.from(JSON.stringify(body)));
      await holdsForAll(gateway, 'the refusal', fc.oneof(json, bytes, torn, partly), 150, async (body) => {
        const fields = jsonObject(body);
        if (fields !== null && 'registration_token' in fields && 'box_name' in fields) return;
        // JSON parsers treat a byte-order mark differently.
        if (body.toString('utf8').startsWith('\ufeff')) return;
        refused(await gateway.post('/v1/boxes/register', body), 400, texts.registrationFields);
      });
    },
    shared,
  ),
  check(
    'gateway/properties/route-fields',
    [
      'choice/gateway/71',
      'choice/gateway/72',
      'choice/gateway/73',
      'choice/gateway/74',
      'choice/gateway/76',
      'choice/gateway/27',
      'choice/gateway/28',
      'choice/gateway/29',
    ],
    'refuses every invalid route for its first missing or invalid field, and publishes every valid one',
    async (gateway) => {
      const box = await gateway.box();
      const port = fc.oneof(fc.integer({ min: -2, max: 70_000 }), anything, fc.double());
      const body = fc.record({ app_name: anything, subdomain: anything, port }, { requiredKeys: [] });
      const good = fc.record({
        app_name: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/),
        subdomain: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}[a-z0-9]$/),
        port: fc.integer({ min: 1, max: 65535 }),
      });
      await holdsForAll(gateway, 'the right answer', fc.oneof(body, body, good), 150, async (fields) => {
        const sent: Record<string, unknown> = JSON.parse(JSON.stringify(fields));
        const answer = await gateway.post('/v1/routes', sent, bearer(box.token));
        const wrong = wrongField(sent);
        if (wrong === 'missing') return refused(answer, 400, texts.routeFields);
        if (wrong !== null) {
          refused(answer, 400);
          return matches('the text', record(answer).error, new RegExp(`^${wrong} must be `));
        }
        if (answer.status === 409) return refused(answer, 409, texts.subdomain);
        status(answer, 201);
        status(await gateway.unpublish(box, String(record(answer).id)), 200);
      });
    },
    { ...shared, timeoutMs: 60_000 },
  ),
  check(
    'gateway/properties/proxy-stays-well',
    ['should/gateway/563'],
    'writes nothing into the route files that the proxy cannot read, or that opens another host',
    (gateway) => keepsProxyReading(gateway, 60),
  ),
  check(
    'gateway/properties/proxy-never-complains',
    ['choice/gateway/93'],
    'never lets the proxy read a file that is incomplete',
    async (gateway) => {
      await keepsProxyReading(gateway, 20);
      equal('what the proxy complains of', gateway.environment.traefik.log, []);
    },
  ),
  check(
    'gateway/properties/box-names',
    ['choice/gateway/31', 'choice/gateway/33'],
    'accepts every allowed name unchanged, and passes it to no other system',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '100';
      await holdsForAll(gateway, 'the right answer', anyName, 40, async (box_name) => {
        const answer = await gateway.register({ box_name });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
        const wrong = [...box_name].length > 128 || /[\u0000-\u001f\u007f-\u009f]/.test(box_name);
        if (wrong) return refused(answer, 400);
        status(answer, 201);
        const { box_id: id, box_token: token, box_name: kept } = record(answer);
        equal('box_name', kept, box_name);
        status(await gateway.deregister({ id: String(id), token: String(token) }), 200);
      });
      const given = gateway.environment.manager.log().flatMap((entry) => (entry.name === null ? [] : [entry.name]));
      equal(
        'other names at the manager',
        given.filter((one) => !/^boxgate-box_[a-z0-9]+$/.test(one)),
        [],
      );
    },
    { timeoutMs: 60_000 },
  ),
];

/**
 * Any text without lone surrogates. fast-check's own arbitrary blocks this process for a second while it builds a
 * table.
 */
const anyName = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff })), {
    minLength: 1,
    maxLength: 130,
    size: 'max',
  })
  .map((points) => String.fromCodePoint(...points));
