import type { FaultScript } from '../../../../fakes/wg-easy/faults.ts';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, matches, record, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { GatewayContext } from '../context.ts';
import { learnBox } from '../results.ts';
import { texts, tunnelWaitMs } from '../shared-fixture.ts';

const peers = (gateway: GatewayContext) => gateway.environment.manager.clients().length;
const always = { times: 1000 };

/** Registers and returns the text of the 502. */
async function failureText(gateway: GatewayContext): Promise<string> {
  const answer = await gateway.register();
  refused(answer, 502);
  return String(record(answer).error);
}

/** Verifies that a failed registration leaves neither a peer nor a box, so it does not count towards the limit. */
async function nothingIsLeft(gateway: GatewayContext, what: string) {
  await until(`${what}: no peer is left`, () => peers(gateway) === 0);
  const box = await gateway.box();
  equal(`${what}: peers after a registration that succeeds`, peers(gateway), 1);
  status(await gateway.deregister(box), 200);
  await until(`${what}: its peer is removed`, () => peers(gateway) === 0);
}

/** Faults that make every registration fail while they last. */
const fatal: FaultScript[] = [
  { kind: 'fail-before', on: 'create', ...always },
  { kind: 'drop-before', on: 'create', ...always },
  { kind: 'html', on: 'any', ...always },
  { kind: 'html', on: 'any', status: 503, ...always },
  { kind: 'html', on: 'create', status: 403, ...always },
  { kind: 'fail-before', on: 'any', ...always },
];

const wordsOf = ({ kind, on, status }: FaultScript) => `${kind} ${status ?? ''} on ${on}`;

/** Faults that occur once. A registration may still succeed. */
const once: FaultScript[] = [
  { kind: 'fail-after', on: 'create' },
  { kind: 'lag', on: 'create' },
  { kind: 'drop-before', on: 'create' },
  { kind: 'drop-after', on: 'create' },
  { kind: 'broken-json', on: 'create' },
  { kind: 'wrong-shape', on: 'create' },
  { kind: 'html', on: 'create' },
  { kind: 'html-after', on: 'create', status: 504 },
  { kind: 'fail-before', on: 'list' },
  { kind: 'html', on: 'list' },
  { kind: 'broken-json', on: 'list' },
  { kind: 'wrong-shape', on: 'list' },
  { kind: 'empty-list', on: 'list' },
  { kind: 'drop-before', on: 'list' },
  { kind: 'fail-before', on: 'configuration' },
  { kind: 'html', on: 'configuration' },
  { kind: 'drop-after', on: 'configuration' },
];

export const checks: Check<GatewayContext>[] = [
  check(
    'gateway/tunnel-failures/unreachable',
    ['gateway/registerBox/7', 'gateway/errors/9', 'gateway/states/1'],
    'answers 502 while the manager is unreachable, and registers when it is back',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '1';
      await gateway.start();
      await gateway.environment.manager.stop();
      refused(await gateway.register(), 502);
      await gateway.environment.manager.start();
      await until('a registration works', async () => (await gateway.register()).status === 201);
      equal('peers', peers(gateway), 1);
      refused(await gateway.register(), 403, texts.boxLimit);
    },
  ),
  check(
    'gateway/tunnel-failures/fails',
    ['gateway/registerBox/7', 'gateway/errors/9', 'gateway/states/1'],
    'answers 502 if the manager refuses, breaks off or responds with nonsense, and counts no box',
    async (gateway) => {
      // Room for all, because the gateway may remove the rest of a failed registration after its response.
      const limit = fatal.length;
      gateway.environment.variables.GATEWAY_BOX_LIMIT = String(limit);
      const { faults } = gateway.environment.manager;
      for (const script of fatal) {
        const fault = faults.script(script);
        refused(await gateway.register(), 502);
        ensure(`${wordsOf(script)} happened`, fault.struck() > 0);
        faults.clear();
      }
      const isFree = async () => (await gateway.register()).status === 201;
      for (let box = 1; box <= limit; box += 1) await until(`there is room for box ${box} of ${limit}`, isFree);
    },
    { timeoutMs: 90_000 },
  ),
  check(
    'gateway/tunnel-failures/hangs',
    ['gateway/registerBox/7', 'gateway/errors/9'],
    'answers 502 when the manager never answers',
    async (gateway) => {
      const fault = gateway.environment.manager.faults.script({ kind: 'hang-before', on: 'create', ...always });
      refused(await gateway.register(), 502);
      ensure('it happened', fault.struck() > 0);
    },
    { timeoutMs: 120_000, requestMs: tunnelWaitMs },
  ),
  check(
    'gateway/tunnel-failures/wrong-password',
    ['gateway/process/9', 'gateway/registerBox/7'],
    'logs in with the configured password, and answers 502 if that is wrong',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_TUNNEL_PASSWORD = 'quite-another-password';
      refused(await gateway.register(), 502);
      equal('peers', peers(gateway), 0);
      await gateway.stop();
      gateway.environment.variables.GATEWAY_TUNNEL_PASSWORD = gateway.environment.manager.password;
      await gateway.box();
    },
  ),
  check(
    'gateway/tunnel-failures/password-mended',
    ['should/gateway/558'],
    'registers a box again when the manager accepts a password that it refused before',
    async (gateway) => {
      await gateway.start();
      const { manager } = gateway.environment;
      const { password } = manager;
      await manager.restart({ password: 'quite-another-password' });
      refused(await gateway.register(), 502);
      await manager.restart({ password });
      await until('a registration works', async () => (await gateway.register()).status === 201);
      equal('peers', peers(gateway), 1);
    },
  ),
  check(
    'gateway/tunnel-failures/label',
    ['gateway/registerBox/8'],
    'starts the text of every 502 with the same label, followed by the detail',
    async (gateway) => {
      await gateway.start();
      await gateway.environment.manager.stop();
      const unreachable = await failureText(gateway);
      await gateway.environment.manager.start();
      gateway.environment.manager.faults.script({ kind: 'html', on: 'any', ...always });
      const nonsense = await failureText(gateway);
      let same = 0;
      while (same < unreachable.length && unreachable[same] === nonsense[same]) same += 1;
      const label = unreachable.slice(0, same);
      matches('the label', label, /tunnel|manager|peer|vpn|wireguard|wg/i);
      const other = /tunnel|manager|peer|vpn|wireguard|wg|easy|error|fail(?:ed|ure)?|[^\p{L}\p{N}]/giu;
      for (const text of [unreachable, nonsense]) ensure('a detail follows', text.replace(other, '').length > 2, text);
    },
  ),
  check(
    'gateway/tunnel-failures/nothing-left',
    ['should/gateway/42'],
    'leaves neither box nor peer after a registration that failed at the manager',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '1';
      const { faults } = gateway.environment.manager;
      for (const script of fatal) {
        faults.script(script);
        refused(await gateway.register(), 502);
        faults.clear();
        await nothingIsLeft(gateway, wordsOf(script));
      }
    },
    { timeoutMs: 90_000 },
  ),
  check(
    'gateway/tunnel-failures/one-fault',
    ['should/gateway/42'],
    'either registers a working box or leaves nothing, whatever fails once at the manager',
    async (gateway) => {
      gateway.environment.variables.GATEWAY_BOX_LIMIT = '1';
      const { manager } = gateway.environment;
      await nothingIsLeft(gateway, 'before');
      for (const script of once) {
        const what = wordsOf(script);
        const fault = manager.faults.script(script);
        const answer = await gateway.register();
        // A registration need not list or fetch clients, but it must create one.
        if (script.on === 'create') equal(`how often ${what} happened`, fault.struck(), 1);
        manager.faults.clear();
        if (answer.status === 201) {
          equal(`${what}: peers`, manager.clients().filter((client) => client.live).length, 1);
          status(await gateway.deregister(await learnBox(gateway, record(answer))), 200);
        } else refused(answer, 502);
        await nothingIsLeft(gateway, what);
      }
    },
    { timeoutMs: 120_000 },
  ),
  check(
    'gateway/tunnel-failures/logged-out-create',
    ['should/gateway/53', 'should/gateway/42'],
    'creates no second peer if the first creation was answered like a missing login',
    async (gateway) => {
      const manager = await gateway.environment.useManager({ dialect: '15.4' });
      await gateway.box();
      const fault = manager.faults.script({ kind: 'logged-out-after', on: 'create' });
      const answer = await gateway.register();
      equal('how often it happened', fault.struck(), 1);
      if (answer.status !== 201) refused(answer, 502);
      const expected = answer.status === 201 ? 2 : 1;
      await until(`peers after ${answer.status}: ${expected}`, () => peers(gateway) === expected);
    },
    { timeoutMs: 60_000 },
  ),
];
