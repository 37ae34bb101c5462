import type { FaultScript } from '../../../../fakes/wg-easy/faults.ts';
import type { WgEasy } from '../../../../fakes/wg-easy/wg-easy.ts';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, matches, record, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { GatewayContext } from '../context.ts';
import { needsLastingStore, tunnelWaitMs } from '../shared-fixture.ts';

type Script = Omit<FaultScript, 'times'>;

const peers = (gateway: GatewayContext) => gateway.environment.manager.clients().length;
const failure = (status: number, message: string) => ({
  status,
  body: JSON.stringify({ error: true, statusCode: status, statusMessage: message, message }),
});
const elsewhere = { status: 302, body: '', headers: { location: 'https://login.example/' } };
const mib = 1024 * 1024;

/** Login responses of servers that are not a tunnel manager. */
const strangers: Script[] = [
  { kind: 'no-http', on: 'session' },
  { kind: 'canned', on: 'session', ...elsewhere },
  { kind: 'html', on: 'session', status: 401 },
  { kind: 'canned', on: 'session', status: 401, body: '{}' },
  { kind: 'canned', on: 'session', status: 401, body: failure(403, 'Not authenticated').body },
  { kind: 'canned', on: 'session', status: 200, body: '{"requiresPassword":"yes","authenticated":false}' },
  { kind: 'canned', on: 'session', status: 200, body: '{"requiresPassword":true,"authenticated":0}' },
  { kind: 'canned', on: 'session', status: 500, body: '{"requiresPassword":true,"authenticated":false}' },
  {
    kind: 'changed',
    on: 'session',
    change: (answer) => ({ ...answer, body: answer.body.padEnd(8 * mib + 1) }),
  },
];

/** Explicit login refusals, which the operator can fix. */
const refusals: [Script, RegExp][] = [
  [{ kind: 'canned', on: 'login', ...failure(403, 'Password authentication is disabled') }, /is disabled/],
  [{ kind: 'canned', on: 'login', ...failure(400, 'Password must be at least 12 Character') }, /password/],
  [{ kind: 'canned', on: 'login', body: '{"status":"TOTP_REQUIRED"}' }, /two-factor/],
];

const withoutCookie: Script = {
  kind: 'changed',
  on: 'login',
  change: (answer) => ({ ...answer, headers: { 'content-type': 'application/json' } }),
};

/** Login responses that do not show whether the login succeeded. */
const oddLogins: ['14' | '15.4', Script][] = [
  ['15.4', withoutCookie],
  ['15.4', { kind: 'changed', on: 'login', change: (answer) => ({ ...answer, body: '{"status":"fine"}' }) }],
  ['15.4', { kind: 'changed', on: 'login', change: (answer) => ({ ...answer, body: 'null' }) }],
  ['14', withoutCookie],
  ['14', { kind: 'changed', on: 'login', change: (answer) => ({ ...answer, body: '{"success":false}' }) }],
];

/** Responses to a logged-in client that the manager's API does not define. */
const oddChanges: [Script, RegExp][] = [
  [{ kind: 'canned', on: 'create', ...elsewhere }, /\S/],
  [{ kind: 'canned', on: 'create', ...failure(403, 'User is not allowed') }, /User is not allowed/],
  [{ kind: 'canned', on: 'create', ...failure(429, 'Slow down') }, /Slow down/],
  [{ kind: 'canned', on: 'create', ...failure(502, 'Upstream gone') }, /Upstream gone/],
  [{ kind: 'canned', on: 'create', status: 204 }, /\S/],
  [{ kind: 'no-http', on: 'create' }, /\S/],
  ...['null', '[]', '{}', '"success"', '{"success":"true"}', '{"success":false,"clientId":1}'].map(
    (text): [Script, RegExp] => [{ kind: 'wrong-shape', on: 'create', edit: () => text }, /\S/],
  ),
  [{ kind: 'canned', on: 'configuration', ...failure(404, 'Client not found') }, /\S/],
  [{ kind: 'canned', on: 'configuration', ...failure(404, 'Page not found: /api/client') }, /\S/],
  [{ kind: 'canned', on: 'configuration', ...elsewhere }, /\S/],
];

/** Registers while the script is active. Verifies that it fails, and returns the text. */
async function failing(gateway: GatewayContext, manager: WgEasy, script: Script): Promise<string> {
  const fault = manager.faults.script({ ...script, times: 1000 });
  const answer = await gateway.register();
  const what = `${script.kind} ${script.status ?? ''} ${script.body ?? ''} on ${script.on}`;
  equal(`status for ${what}`, answer.status, 502);
  ensure(`${what} happened`, fault.struck() > 0);
  manager.faults.clear();
  const text = String(record(answer).error);
  matches(`the text for ${what}`, text, /^tunnel manager: (?!undefined)\S/);
  return text;
}

const operations = (manager: WgEasy) => new Set(manager.log().map((entry) => entry.operation));

/** Adds cookies of an intermediary, including an expired one with the manager's name. */
function amongOthers(own: string | string[] | undefined): string[] {
  return ['lb=node-7; Path=/', 'wg-easy=; Path=/; Max-Age=0', ...[own ?? []].flat(), 'wg-easy-theme=dark'];
}

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/tunnel/strangers',
    ['choice/gateway/124', 'choice/gateway/48'],
    'sends no password to a server that does not respond like a tunnel manager',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '100';
      for (const dialect of ['15.4', '14'] as const) {
        const manager = await gateway.environment.useManager({ dialect });
        for (const script of strangers) {
          // Both versions report a missing login, in different ways.
          if (dialect === '14' && script.kind === 'changed') continue;
          manager.resetTraffic();
          await failing(gateway, manager, script);
          equal('what it was asked', [...operations(manager)], ['session']);
        }
        const padded = (answer: { body: string }) => answer.body.padEnd(8 * mib);
        manager.faults.script({
          kind: 'changed',
          on: 'session',
          change: (answer) => ({ ...answer, body: padded(answer) }),
        });
        (await gateway.box()).peer();
        await gateway.stop();
      }
    },
    { timeoutMs: 60_000 },
  ),
  check(
    'gateway/tunnel/odd-logins',
    ['choice/gateway/124', 'choice/gateway/125', 'choice/gateway/48'],
    'says why a login was refused, retries at once after a fix, and sends no other requests without a login',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '100';
      for (const [script, words] of refusals) {
        const manager = await gateway.environment.useManager({ dialect: '15.4' });
        matches('the text', await failing(gateway, manager, script), words);
        (await gateway.box()).peer();
        await gateway.stop();
      }
      for (const [dialect, script] of oddLogins) {
        const manager = await gateway.environment.useManager({ dialect });
        await failing(gateway, manager, script);
        const asked = [...operations(manager)];
        equal(
          'what else it was asked',
          asked.filter((operation) => !['session', 'login'].includes(operation)),
          [],
        );
        await gateway.stop();
      }
    },
    { timeoutMs: 90_000 },
  ),
  check(
    'gateway/tunnel/other-cookies',
    ['choice/gateway/128'],
    'keeps its session if an intermediary sets its own cookies',
    async (gateway) => {
      const manager = await gateway.environment.useManager({ dialect: '15.3' });
      manager.faults.script({
        kind: 'changed',
        on: 'login',
        change: (answer) => ({
          ...answer,
          headers: { ...answer.headers, 'set-cookie': amongOthers(answer.headers['set-cookie']) },
        }),
      });
      await gateway.box();
      await gateway.box();
      equal('logins', manager.counters().logins, 1);
    },
  ),
  check(
    'gateway/tunnel/odd-changes',
    ['choice/gateway/124', 'choice/gateway/48', 'choice/gateway/559'],
    "answers 502 with the manager's message and leaves no peer, whatever the response to a change is",
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '100';
      const manager = await gateway.environment.useManager({ dialect: '15.4', healAfterMs: null });
      const box = await gateway.box();
      // Runs first, because the gateway may still remove peers of later failed registrations.
      manager.resetTraffic();
      const outside = failure(401, 'Session failed. No Authorization');
      for (const on of ['create', 'list'] as const)
        manager.faults.script({ kind: 'canned', on, ...outside, times: 1000 });
      refused(await gateway.register(), 502);
      equal('logins where none is any good', manager.counters().logins, 1);
      manager.faults.clear();
      for (const [script, words] of oddChanges) {
        matches('the text', await failing(gateway, manager, script), words);
        await until('only the peer of the box is left', () => peers(gateway) === 1);
      }
      manager.lock();
      matches('the text of a lock', String(record(await gateway.register()).error), /lock/);
      manager.heal();
      status(await gateway.deregister(box), 200);
      await until('its peer is removed', () => peers(gateway) === 0);
    },
    { timeoutMs: 60_000 },
  ),
  check(
    'gateway/tunnel/kept-from-cleaning-up',
    ['should/gateway/42', 'should/gateway/43'],
    'later removes the peer of a failed registration that it could not remove at once',
    async (gateway) => {
      for (const dialect of ['15.4', '14'] as const) {
        const { faults } = await gateway.environment.useManager({ dialect });
        await gateway.box();
        faults.script({ kind: 'fail-after', on: 'create' });
        faults.script({ kind: 'html', on: 'list', times: 1000 });
        refused(await gateway.register(), 502);
        faults.clear();
        await until('the peer is removed', () => peers(gateway) === 1, 4000, 90_000);
        // A gateway that finds the peer in the list may go on with it.
        faults.script({ kind: 'fail-after', on: 'create' });
        faults.script({ kind: 'drop-before', on: 'session' });
        const answer = await gateway.register();
        faults.clear();
        if (answer.status !== 201) refused(answer, 502);
        const expected = answer.status === 201 ? 2 : 1;
        await until('no peer is without a box', () => peers(gateway) === expected, 4000, 90_000);
        await gateway.stop();
      }
    },
    { timeoutMs: 90_000 },
  ),
  check(
    'gateway/tunnel/hangs-after',
    ['should/gateway/42'],
    'removes a peer that a manager created without a response',
    async (gateway) => {
      const fault = gateway.environment.manager.faults.script({ kind: 'hang-after', on: 'create' });
      refused(await gateway.register(), 502);
      equal('how often it happened', fault.struck(), 1);
      await until('the peer is removed', () => peers(gateway) === 0);
    },
    { timeoutMs: 90_000, requestMs: tunnelWaitMs },
  ),
  check(
    'gateway/tunnel/without-password',
    ['choice/gateway/129'],
    'uses a version 14 without a password, and does not log in',
    async (gateway) => {
      needsLastingStore(gateway);
      gateway.environment.variables.GATEWAY_TUNNEL_PASSWORD = 'none-is-asked-for';
      const manager = await gateway.environment.useManager({ dialect: '14', password: null });
      const box = await gateway.box();
      await gateway.restart();
      (await gateway.box()).peer();
      status(await gateway.deregister(box), 200);
      await until('its peer is removed', () => peers(gateway) === 1);
      equal('logins', manager.counters().logins, 0);
    },
  ),
  check(
    'gateway/tunnel/another-version',
    ['should/gateway/130', 'should/gateway/51'],
    'keeps working if another version of the manager runs at its address',
    async (gateway) => {
      const { environment } = gateway;
      const port = Number(new URL(environment.manager.url).port);
      for (const dialect of ['14', '15.3', '15.4', '14', '15.1'] as const) {
        await environment.manager.stop();
        const manager = await environment.useManager({ dialect, port, password: 'the-same-for-every-one' });
        environment.variables.GATEWAY_TUNNEL_PASSWORD = manager.password;
        const box = await gateway.box();
        equal(`peers at version ${dialect}`, peers(gateway), 1);
        status(await gateway.deregister(box), 200);
        await until('its peer is removed', () => peers(gateway) === 0);
      }
    },
    { timeoutMs: 60_000 },
  ),
];
