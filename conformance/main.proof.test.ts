import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { boxApi } from './checks/box/api.ts';
import { gatewayApi } from './checks/gateway/api.ts';
import { type AnyContext, type Check, check, levelOf, NotApplicable } from './kernel/check.ts';
import type { ContractPart } from './kernel/contract.ts';
import { equal, refused } from './kernel/expect.ts';
import { until } from './kernel/observe.ts';
import { readRules } from './kernel/rules.ts';
import { runConformance } from './main.ts';
import type { ConformanceOptions } from './options.ts';
import { shuffle } from './run/shuffle.ts';
import { selectChecks } from './selection.ts';

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

type Row = {
  id: string;
  outcome: string;
  reason: string;
  command: string;
  evidence: { about: string; lines: string[] }[];
};
type Report = { counts: Record<string, number>; verdict: string; checks: Row[] };

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

test('distinguishes suite errors and inapplicable checks from failures', async () => {
  assert.deepEqual(await outcomes([broken, absent]), [1, 'suite-error', 'not-applicable']);
});

test('a timeout says after how long, without a stack trace of the suite', async () => {
  const { status, read } = await run([endless], { timeoutMs: 50 });
  const [row] = read().checks;
  assert.deepEqual([status, row?.outcome, row?.reason], [1, 'timeout', 'not decided within 50 ms']);
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

test('a choice is always checked, and fails the run only with the profile', async () => {
  assert.deepEqual(await outcomes([good, chosen]), [0, 'pass', 'fail']);
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
    { watch: '/nowhere' },
    { exec: "sh -c 'never closed" },
  ]) {
    assert.equal((await run([good], wrong)).status, 2);
  }
});

const asks = check('box/test/asks', must, 'sends a request', async (box) => void (await box.get('/api/bundled')));
const violations: [fault: string, part: ContractPart][] = [
  ['missing-key', 'body of listBundledApps'],
  ['charset', 'json'],
  ['chunked', 'content-length'],
  ['no-headers', 'headers'],
  ['extra-key', 'document'],
  ['other-error', 'error'],
];
for (const [fault, part] of violations) {
  test(`a response with ${fault} fails only the check that verifies it, wherever it was seen`, async () => {
    const quiet = check('box/test/quiet', must, 'sends nothing', async () => {}, { verifies: [part] });
    const others = check('box/test/others', must, 'sends nothing', async () => {}, { verifies: ['body of showPage'] });
    const wrong =
      fault === 'other-error' ? check('box/test/asks', must, 'asks', async (box) => void (await box.get('/x'))) : asks;
    const { status, read } = await run([wrong, quiet, others], { jobs: 1 }, fault);
    const { checks } = read();
    assert.deepEqual([status, ...checks.map((row) => row.outcome)], [1, 'pass', 'fail', 'pass']);
    assert.match(checks[1]?.reason ?? '', /seen in box\/test\/asks$/);
  });
}

test('an undocumented status fails the check that gets it', async () => {
  assert.deepEqual(await outcomes([asks], {}, 'undocumented'), [1, 'fail']);
});

test('a check that a wrong response surprises fails with that response, not as a fault of the suite', async () => {
  const surprised = check('box/test/surprised', must, 'reads a field', async (box) => {
    const [first] = (await box.get('/api/bundled')).json as { name: string }[];
    equal('the first letter', first?.name.charAt(0), 'x');
  });
  const { status, read } = await run([surprised], {}, 'missing-key');
  assert.equal(status, 1);
  assert.match(read().checks[0]?.reason ?? '', /the body fits listBundledApps 200/);
});

test('a check that was only too slow is repeated alone with more patience', async () => {
  let attempts = 0;
  const slow = check('box/test/slow', must, 'is slow once', async () => {
    attempts += 1;
    await until('it is ready', () => attempts > 1, 50);
  });
  assert.deepEqual(await outcomes([slow, good]), [0, 'pass', 'pass']);
  assert.equal(attempts, 2);
});

test('the repetitions end after three checks that hang', async () => {
  let attempts = 0;
  const hanging = [1, 2, 3, 4, 5].map((index) =>
    check(`box/test/hangs-${index}`, must, 'hangs', async () => {
      attempts += 1;
      await until('it is ready', () => false, 20);
    }),
  );
  assert.deepEqual(await outcomes(hanging), [1, 'fail', 'fail', 'fail', 'fail', 'fail']);
  assert.equal(attempts, 8);
});

test('checks that hang do not keep those of a higher level from a repetition', async () => {
  let attempts = 0;
  const hanging = [1, 2, 3].map((index) =>
    check(`box/test/hangs-${index}`, ['choice/box/1'], 'hangs', () => until('it is ready', () => false, 20)),
  );
  const slow = check('box/test/slow', must, 'is slow once', async () => {
    attempts += 1;
    await until('it is ready', () => attempts > 1, 50);
  });
  assert.deepEqual(await outcomes([...hanging, slow]), [0, 'fail', 'fail', 'fail', 'pass']);
});

test('reports a crash with the exit status and the last output', async () => {
  const crashes = check('box/test/crashes', must, 'crashes', async (box) => void (await box.get('/crash')));
  const { status, read } = await run([crashes]);
  assert.equal(status, 1);
  const [row] = read().checks;
  assert.match(row?.reason ?? '', /^the implementation crashed: GET \/crash: .*; it ended with status 9$/);
  const about = 'standard error of the implementation';
  assert.deepEqual(row?.evidence, [{ about, lines: ['| out of luck', 'it ended with status 9'] }]);
});

test('a start that fails in a check is told without a stack trace of the suite', async () => {
  const starts = check('box/test/start', must, 'starts', async (box) => void (await box.start({ flags: ['ends'] })));
  const { read } = await run([starts]);
  const [row] = read().checks;
  assert.equal(row?.outcome, 'fail');
  assert.match(row?.reason ?? '', /^.*ended with status 3.*$/);
});

test('a crash in a shared environment fails only the check that causes it', async () => {
  const shared = { name: 'shared', prepare: () => {} };
  const crashes = check('box/test/crash', must, 'crashes', async (box) => void (await box.get('/crash')), { shared });
  const others = [1, 2, 3].map((index) =>
    check(`box/test/${index}`, must, 'asks', async (box) => equal('list', (await box.get('/api/apps')).json, []), {
      shared,
    }),
  );
  assert.deepEqual(await outcomes([crashes, ...others], { jobs: 4 }), [1, 'fail', 'pass', 'pass', 'pass']);
});

for (const [what, work, reason, limits] of [
  ['a request', (box) => box.request({ method: 'GET', path: '/silent', timeoutMs: 50 }), /hangs: GET \/silent: no/, {}],
  [
    'bytes',
    async (box) => {
      const { responses } = await box.raw({ parts: ['GET /silent HTTP/1.1\r\nHost: a\r\n\r\n'], timeoutMs: 50 });
      equal('responses', responses.length, 1);
    },
    /hangs: it sent no complete response to the latest bytes \(responses\)/,
    {},
  ],
  [
    'a stop',
    async (box) => {
      await box.get('/stay');
      await box.stop();
    },
    /hangs: it did not stop within 200 ms of SIGTERM/,
    { stopTimeoutMs: 200 },
  ],
  [
    'a start',
    (box) => box.start({ port: 9, env: { BOX_PORT: '0' } }),
    /hangs at its start: .* did not answer on its port 9/,
    { startTimeoutMs: 600 },
  ],
] satisfies [string, (box: AnyContext) => Promise<unknown>, RegExp, Partial<ConformanceOptions>][]) {
  test(`reports that the implementation hangs at ${what}`, async () => {
    const hangs = check<AnyContext>('box/test/hangs', must, 'hangs', async (box) => void (await work(box)));
    const { status, read } = await run([hangs], limits);
    assert.equal(status, 1);
    assert.match(read().checks[0]?.reason ?? '', reason);
  });
}

test('shows the bytes of a connection', async () => {
  const sends = check<AnyContext>('box/test/sends', must, 'sends bytes', async (box) => {
    const { responses } = await box.raw({ parts: ['GET /api/apps HTTP/1.1\r\nHost: \xff\r\n\r\n'] });
    equal('status', responses[0]?.status, 404);
  });
  const { read } = await run([sends]);
  const [bytes] = read().checks[0]?.evidence ?? [];
  assert.equal(bytes?.about, 'bytes of a connection');
  assert.equal(bytes?.lines[0], '> GET /api/apps HTTP/1.1\\r\\nHost: \\xc3\\xbf\\r\\n\\r\\n');
  assert.match(bytes?.lines[1] ?? '', /^< HTTP\/1\.1 200 OK\\r\\n.*\[\]$/);
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

test('unexpected values, damaged files and closed connections are failures that name them', async () => {
  const rows: [work: (box: AnyContext) => Promise<unknown>, reason: RegExp][] = [
    [async (box) => ((await box.get('/api/apps')).json as { a: { b: string } }).a.b, /^a file or response can be read/],
    [async ({ environment }) => readFileSync(environment.root), /^a file or connection can be used.*\n.*\n.*EISDIR/],
    [
      async () => fetch('http://127.0.0.1:10').catch(({ cause }) => Promise.reject(cause)),
      /^a file or connection can be used/,
    ],
  ];
  const checks = rows.map(([work], index) =>
    check<AnyContext>(`box/test/${index}`, must, 'reads', async (box) => void (await work(box))),
  );
  const { read } = await run(checks);
  for (const [index, row] of read().checks.entries()) {
    assert.equal(row.outcome, 'fail', row.reason);
    assert.match(row.reason, rows[index]?.[1] ?? /never/);
  }
});

test('a file that the implementation did not write is a failure that names it', async () => {
  const reads = check('box/test/reads', must, 'reads a file', async ({ environment }) => {
    readFileSync(join(environment.root, 'absent', '.env'));
  });
  const { status, read } = await run([reads]);
  const { outcome, reason } = read().checks[0] ?? {};
  assert.deepEqual([status, outcome], [1, 'fail']);
  assert.match(reason ?? '', /^the file absent\/\.env exists\n/);
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

test('--watch runs again when a file changes, first the failed checks, until a signal', async () => {
  const watched = join(folder, 'watched');
  mkdirSync(watched);
  const printed: string[] = [];
  const status = await runConformance({
    api: 'box',
    exec: `'${process.execPath}' --no-warnings '${server}'`,
    checks: [good, fixable(join(watched, 'fix'))],
    watch: watched,
    write: (text) => {
      printed.push(text);
      if (!text.startsWith('Waiting')) return;
      const runs = printed.filter((one) => one.startsWith('Waiting')).length;
      // The signal arrives while the suite waits.
      if (runs === 1) writeFileSync(join(watched, 'fix'), '');
      else setImmediate(() => process.emit('SIGINT'));
    },
  });
  const counts = printed.flatMap(
    (text) => /^(\d{1,5}) checks, seed \d{1,10}: (\d{1,5}) pass/m.exec(text)?.slice(1, 3).join(':') ?? [],
  );
  assert.deepEqual([status, ...counts], [0, '2:1', '1:1', '2:2']);
});

test('--report badge needs a run of all checks', async () => {
  const file = join(folder, 'badge.svg');
  assert.equal((await run([good], { report: [`badge=${file}`], only: ['box/test/good'] })).status, 2);
  assert.equal((await run([good], { report: [`badge=${file}`] })).status, 0);
  assert.match(readFileSync(file, 'utf8'), /<title>boxgate box: 1 must pass<\/title>/);
});

test('shards are disjoint and complete, and a prefix of an id selects the checks below it', () => {
  const all = boxApi.checks.map((one) => one.id);
  const parts = ['1/3', '2/3', '3/3'].flatMap((shard) => selectChecks(boxApi.checks, { shard }).map((one) => one.id));
  assert.deepEqual(parts.sort(), [...all].sort());
  const below = selectChecks(boxApi.checks, { only: ['box/listApps'] });
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
  ['box', boxApi.checks],
  ['gateway', gatewayApi.checks],
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
