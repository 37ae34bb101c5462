import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, record, refused, status } from '../../../kernel/expect.ts';
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
    'gateway/properties/proxy-stays-well',
    ['should/gateway/563'],
    'writes nothing into the route files that the proxy cannot read, or that opens another host',
    (gateway) => keepsProxyReading(gateway, 60),
  ),
];
