import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { check, NotApplicable } from './kernel/check.ts';
import { equal, refused } from './kernel/expect.ts';
import { runConformance } from './main.ts';
import type { ConformanceOptions } from './options.ts';
import { bad, folder, good, must, outcomes, run } from './testing/run-checks.ts';

const chosen = check('box/test/chosen', ['choice/box/1'], 'is a choice', async () => equal('never', 1, 2));
const absent = check('box/test/absent', must, 'is not applicable', async () => {
  throw new NotApplicable('nothing to look at');
});
const broken = check('box/test/broken', must, 'has a fault of its own', async () => {
  throw new TypeError('a fault of the suite');
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

test('distinguishes suite errors and inapplicable checks from failures', async () => {
  assert.deepEqual(await outcomes([broken, absent]), [1, 'suite-error', 'not-applicable']);
});

test('a failed should or choice fails the run only with an option', async () => {
  const should = { ...bad, rules: ['should/box/503'] };
  assert.deepEqual(await outcomes([good, should]), [0, 'pass', 'fail']);
  assert.deepEqual(await outcomes([good, should], { strict: true }), [1, 'pass', 'fail']);
  assert.deepEqual(await outcomes([good, chosen], { strict: true }), [0, 'pass', 'fail']);
  assert.deepEqual(await outcomes([good, chosen], { profile: 'boxgate' }), [1, 'pass', 'fail']);
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
  for (const wrong of [
    { only: ['box/nowhere'] },
    { shard: '3/2' },
    { profile: 'x' },
    { report: ['x'] },
    { report: ['json=/nowhere/report.json'] },
    { report: ['json=/'] },
    { coverage: true },
    { exec: "sh -c 'never closed" },
  ]) {
    assert.equal((await run([good], wrong)).status, 2);
  }
});

test('says why a run cannot begin', async (t) => {
  const said: string[] = [];
  const { mock } = t.mock.method(process.stderr, 'write', (text: string) => {
    said.push(text);
    return true;
  });
  const gateway = { api: 'gateway', exec: 'true', write: () => {} } as const;
  const statuses = [
    (await run([good], {}, 'port-in-use')).status,
    await runConformance({ ...gateway, store: 'postgres://me:secret-word@127.0.0.1:9/x' }),
    await runConformance({ ...gateway, tunnel: 'http://127.0.0.1:10', tunnelPassword: 'x' }),
  ];
  mock.restore();
  assert.deepEqual(statuses, [2, 2, 2]);
  assert.match(
    said[0] ?? '',
    /status 1 before it answered: it did not listen on the port .*\n {2}\| Address already in/,
  );
  assert.match(said[1] ?? '', /^--store: postgres:\/\/me@127\.0\.0\.1:9\/x: connect ECONNREFUSED.*\n$/);
  assert.match(said[2] ?? '', /^--tunnel: http:\/\/127\.0\.0\.1:10: .*ECONNREFUSED.*\n$/);
});

test('the command of a failure repeats its run', async () => {
  const { read } = await run([good, bad], { strict: true, seed: 5, docker: 'stand-in' });
  const [passed, failed] = read().checks;
  assert.equal(passed?.command, '');
  assert.match(
    failed?.command ?? '',
    /^boxgate conformance box --exec '.*' --docker stand-in --seed 5 --strict --only box\/test\/bad$/,
  );
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

/** Fails unless `file` exists. */
const fixable = (file: string) =>
  check('box/test/fixable', must, 'can be fixed', async () => equal('it is fixed', existsSync(file), true));

test('--bail starts no check after the first failure that counts', async () => {
  const rest = [1, 2, 3].map((at) => ({ ...good, id: `box/test/good-${at}` }));
  // A check with a longer time limit runs first.
  const first = { ...bad, options: { timeoutMs: 200_000 } };
  const { status, read } = await run([...rest, first], { bail: true, jobs: 1 });
  assert.deepEqual([status, ...read().checks.map((row) => row.outcome)], [1, 'skipped', 'skipped', 'skipped', 'fail']);
  assert.match(read().checks[0]?.reason ?? '', /--bail ended the run after box\/test\/bad/);
  const choice = { ...chosen, options: { timeoutMs: 200_000 } };
  assert.deepEqual(await outcomes([...rest, choice], { bail: true, jobs: 1 }), [0, 'pass', 'pass', 'pass', 'fail']);
});

test('--rerun-failed runs the checks that failed in a report and count', async () => {
  const file = join(folder, 'failed.json');
  await run([good, bad, chosen, absent], { report: [`json=${file}`] });
  const idsOf = async (options: Partial<ConformanceOptions>) =>
    (await run([good, bad, chosen, absent], { rerunFailed: file, ...options })).read().checks.map(({ id }) => id);
  assert.deepEqual(await idsOf({}), [bad.id]);
  assert.deepEqual(await idsOf({ profile: 'boxgate' }), [bad.id, chosen.id]);
  await run([good], { report: [`json=${file}`] });
  assert.equal((await run([good], { rerunFailed: file })).status, 2);
});

test('returns 2 for a report that cannot be read, or of the other API', async () => {
  const file = join(folder, 'other.json');
  for (const text of ['', '{}', '{"api":"gateway","checks":[]}']) {
    writeFileSync(file, text);
    assert.equal((await run([good], { rerunFailed: file })).status, 2);
    assert.equal((await run([good], { compare: file })).status, 2);
  }
});

test('--compare prints new and fixed failures, and leaves the exit status', async (context) => {
  const file = join(folder, 'earlier.json');
  const fix = join(folder, 'fix');
  await run([fixable(fix), good], { report: [`json=${file}`] });
  writeFileSync(fix, '');
  const printed = context.mock.method(process.stderr, 'write', () => true);
  const { status } = await run([fixable(fix), good], { compare: file });
  assert.equal(status, 0);
  assert.match(String(printed.mock.calls.at(-1)?.arguments[0]), /New failures: 0\nFixed: 1\n {2}box\/test\/fixable/);
});

test('--keep leaves the files of the environments of failures, and no process', async () => {
  const pids: number[] = [];
  const fails = check('box/test/fails', must, 'fails', async (box) => {
    await box.get('/api/apps');
    pids.push(box.subject().pid);
    writeFileSync(join(box.environment.root, 'left'), '');
    equal('never', 1, 2);
  });
  const { read } = await run([good, fails, { ...chosen, id: 'box/test/other' }], { keep: true });
  const [, root = ''] = /The environment is in (\S+)$/.exec(read().checks[1]?.reason ?? '') ?? [];
  assert.ok(existsSync(join(root, 'left')));
  assert.throws(() => process.kill(pids[0] ?? 0, 0));
  rmSync(root, { recursive: true });
  assert.doesNotMatch(read().checks[2]?.reason ?? '', /environment/, 'a choice does not count');
});

test('--list ends quietly if its reader closes the pipe', () => {
  const boxgate = join(import.meta.dirname, '..', 'src', 'cli', 'boxgate.cjs');
  const line = `'${process.execPath}' '${boxgate}' conformance box --list | head -n 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' });
  assert.match(stdout, /^box\/showPage\/1 \(must\): .*\n$/);
  assert.equal(stderr, '');
});

test('only a declaration excuses what an implementation lacks', async () => {
  const sail = check('box/test/sail', must, 'has a sail', async (box) => refused(await box.get('/api/apps'), 404), {
    needs: 'sail',
  });
  assert.deepEqual(await outcomes([good, sail]), [1, 'pass', 'fail']);
  const { status, read } = await run([good, sail], { without: ['sail'] });
  assert.deepEqual([status, read().checks[1]?.reason], [0, 'declared: --without sail']);
  assert.match(read().verdict, /^The chosen checks pass/);
  assert.equal((await run([good, sail], { without: ['mast'] })).status, 2);
});
