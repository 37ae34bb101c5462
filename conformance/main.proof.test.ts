import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { boxChecks } from './checks/box/checks.ts';
import { gatewayChecks } from './checks/gateway/checks.ts';
import { type Check, check, levelOf, NotApplicable } from './kernel/check.ts';
import { equal, refused } from './kernel/expect.ts';
import { readRules } from './kernel/rules.ts';
import { type ConformanceOptions, runConformance, selectChecks } from './main.ts';
import { shuffle } from './run/runner.ts';

const server = join(import.meta.dirname, 'testing', 'canned-box.ts');
const folder = mkdtempSync(join(tmpdir(), 'boxgate-suite-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const must = ['box/listApps/1'];
const good = check('box/test/good', must, 'holds', async (box) => equal('list', (await box.get('/api/apps')).json, []));
const bad = check('box/test/bad', must, 'does not hold', async (box) => refused(await box.get('/api/apps'), 404));
const chosen = check('box/test/chosen', ['choice/box/1'], 'is a choice', async () => equal('never', 1, 2));
const broken = check('box/test/broken', must, 'has a fault of its own', async () => {
  throw new TypeError('a fault of the suite');
});
const absent = check('box/test/absent', must, 'is not applicable', async () => {
  throw new NotApplicable('nothing to look at');
});
const endless = check('box/test/endless', must, 'never ends', () => new Promise(() => {}));

type Report = { counts: Record<string, number>; checks: { id: string; outcome: string; reason: string }[] };

async function run(checks: readonly Check<never>[], options: Partial<ConformanceOptions> = {}, fault = '') {
  const file = join(folder, `${Math.random()}.json`);
  const exec = `'${process.execPath}' --no-warnings '${server}' ${fault}`;
  const status = await runConformance({
    api: 'box',
    exec,
    checks,
    report: [`json=${file}`],
    write: () => {},
    ...options,
  });
  const read = () => JSON.parse(readFileSync(file, 'utf8')) as Report;
  return { status, read };
}

async function outcomes(checks: readonly Check<never>[], options: Partial<ConformanceOptions> = {}, fault = '') {
  const { status, read } = await run(checks, options, fault);
  return [status, ...read().checks.map((row) => row.outcome)];
}

test('a check that fails with pending requests fails alone, and the run continues', () => {
  const run = join(import.meta.dirname, 'testing', 'hasty-run.ts');
  const { status, stdout } = spawnSync(process.execPath, ['--no-warnings', run], { encoding: 'utf8' });
  const { checks } = JSON.parse(stdout) as Report;
  assert.deepEqual([status, ...checks.map((one) => one.outcome)], [1, 'fail', 'pass']);
});

test('returns 0 if every check passes', async () => {
  assert.deepEqual(await outcomes([good]), [0, 'pass']);
});

test('returns 1 if a required check fails, and says why', async () => {
  const { status, read } = await run([good, bad]);
  assert.equal(status, 1);
  const [, row] = read().checks;
  assert.equal(row?.outcome, 'fail');
  assert.match(row?.reason ?? '', /status 404[\s\S]*> GET \/api\/apps[\s\S]*< 200/);
});

test('distinguishes suite errors, timeouts and inapplicable checks from failures', async () => {
  assert.deepEqual(await outcomes([broken, absent]), [1, 'suite-error', 'not-applicable']);
  assert.deepEqual(await outcomes([endless], { timeoutMs: 50 }), [1, 'timeout']);
});

test('reports a timeout although the environment cannot be removed at once', async () => {
  const stays = check('box/test/stays', must, 'never ends, in a world that is in use', ({ environment }) => {
    const { dispose } = environment;
    environment.dispose = () => {
      environment.dispose = dispose;
      throw new Error('in use');
    };
    return new Promise(() => {});
  });
  assert.deepEqual(await outcomes([stays], { timeoutMs: 50 }), [1, 'timeout']);
});

test('runs a choice only with the profile', async () => {
  assert.deepEqual(await outcomes([good, chosen]), [0, 'pass', 'skipped']);
  assert.deepEqual(await outcomes([chosen], { profile: 'boxgate' }), [1, 'fail']);
});

test('a deviation turns a failure into an expected one, and a pass into a fault', async () => {
  const deviations = join(folder, 'deviations');
  writeFileSync(deviations, '# known\nbox/test/bad: not done yet, https://example.org/1\n');
  assert.deepEqual(await outcomes([good, bad], { deviations }), [0, 'pass', 'expected-fail']);
  writeFileSync(deviations, 'box/test/good: was broken once\n');
  assert.deepEqual(await outcomes([good], { deviations }), [1, 'unexpected-pass']);
});

test('returns 2 for a deviations line without a reason, or for an unknown check', async () => {
  const deviations = join(folder, 'wrong');
  for (const text of ['box/test/bad\n', 'box/test/bad: \n', 'box/nowhere: reason\n']) {
    writeFileSync(deviations, text);
    assert.equal((await run([good], { deviations })).status, 2);
  }
});

test('returns 2 if the implementation exits, never answers, does not stop or cannot be found', async () => {
  assert.equal((await run([good], {}, 'ends')).status, 2);
  assert.equal((await run([good], { startTimeoutMs: 300 }, 'silent')).status, 2);
  assert.equal((await run([good], { stopTimeoutMs: 300 }, 'stays')).status, 2);
  assert.equal((await run([good], { exec: '/nowhere/at/all' })).status, 2);
  assert.equal((await run([good], { exec: '' })).status, 2);
});

test('returns 2 for an invalid option', async () => {
  for (const wrong of [{ only: ['box/nowhere'] }, { shard: '3/2' }, { profile: 'x' }, { report: ['x'] }]) {
    assert.equal((await run([good], wrong)).status, 2);
  }
});

test('verifies every response against the response contract', async () => {
  const faults = ['extra-key', 'undocumented', 'charset', 'chunked'];
  for (const fault of faults) {
    const asks = check('box/test/asks', must, 'asks', async (box) => void (await box.get('/api/bundled')));
    assert.deepEqual(await outcomes([asks], {}, fault), [1, 'fail'], fault);
  }
});

test('verifies the headers of a choice only with the profile', async () => {
  assert.deepEqual(await outcomes([good], {}, 'no-headers'), [0, 'pass']);
  assert.deepEqual(await outcomes([good], { profile: 'boxgate' }, 'no-headers'), [1, 'fail']);
});

test('hides secrets in its reports', async () => {
  let secret = '';
  const leak = check('box/test/leak', must, 'leaks', async (box) => {
    secret = box.secret();
    equal('a secret', (await box.post(`/${secret}`, { secret })).text, secret);
  });
  const { read } = await run([leak]);
  assert.notEqual(secret, '');
  assert.doesNotMatch(JSON.stringify(read()), new RegExp(secret));
});

test('leaves no environment behind', async () => {
  const worlds = () => readdirSync(tmpdir()).filter((name) => name.startsWith('boxgate-env-'));
  let seen = '';
  const looks = check('box/test/looks', must, 'looks', async (box) => {
    seen = box.environment.root;
    await box.get('/api/apps');
  });
  await run([looks]);
  assert.notEqual(seen, '');
  assert.ok(!worlds().some((name) => seen.endsWith(name)));
});

test('shards are disjoint and complete, and a prefix of an id selects the checks below it', () => {
  const all = boxChecks.map((one) => one.id);
  const parts = ['1/3', '2/3', '3/3'].flatMap((shard) => selectChecks(boxChecks, { shard }).map((one) => one.id));
  assert.deepEqual(parts.sort(), [...all].sort());
  const below = selectChecks(boxChecks, { only: ['box/listApps'] });
  assert.ok(below.length > 1 && below.every((one) => one.id.startsWith('box/listApps/')));
});

test('the same seed gives the same order, and another seed another order', () => {
  const list = Array.from({ length: 50 }, (_, index) => index);
  assert.deepEqual(shuffle(list, 7), shuffle(list, 7));
  assert.notDeepEqual(shuffle(list, 7), shuffle(list, 8));
  assert.deepEqual(
    shuffle(list, 7).sort((a, b) => a - b),
    list,
  );
});

for (const [service, checks] of [
  ['box', boxChecks],
  ['gateway', gatewayChecks],
] as const) {
  test(`every check of the ${service} has its own id and cites existing rules of one level`, () => {
    const rules = readRules(service);
    const ids = checks.map((one) => one.id);
    assert.equal(new Set(ids).size, ids.length);
    for (const one of checks) {
      assert.match(one.id, /^(box|gateway)\/[A-Za-z-]+\/[a-z0-9-]+$/);
      assert.doesNotThrow(() => levelOf(one));
      for (const id of one.rules) assert.ok(rules.has(id), `${one.id} names ${id}, which no rule has`);
    }
  });
}
