import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type AnyContext, check } from '../kernel/check.ts';
import type { ContractPart } from '../kernel/contract.ts';
import { equal } from '../kernel/expect.ts';
import type { ConformanceOptions } from '../options.ts';
import type { Report } from '../report/report.ts';
import { must, outcomes, run } from '../testing/run-checks.ts';

const endless = check('box/test/endless', must, 'never ends', () => new Promise(() => {}));

test('a check that fails with pending requests fails alone, and the run continues', () => {
  const run = join(import.meta.dirname, '..', 'testing', 'hasty-run.ts');
  const { status, stdout } = spawnSync(process.execPath, ['--no-warnings', run], { encoding: 'utf8' });
  const { checks } = JSON.parse(stdout) as Report;
  assert.deepEqual([status, ...checks.map((one) => one.outcome)], [1, 'fail', 'pass']);
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

test('a check that passes with an invalid request is a fault of the suite, in the profile of boxgate', async () => {
  const post = (body: object) =>
    check('box/test/sends', must, 'sends', async (box) => void (await box.post('/api/apps/remove', body)));
  const [valid, invalid] = [post({ name: 'notes' }), post({ name: 5 })];
  assert.deepEqual(await outcomes([valid], { profile: 'boxgate' }), [0, 'pass']);
  assert.deepEqual(await outcomes([invalid]), [0, 'pass']);
  const { status, read } = await run([invalid], { profile: 'boxgate' });
  assert.deepEqual([status, read().checks[0]?.outcome], [1, 'suite-error']);
  assert.match(read().checks[0]?.reason ?? '', /invalid request: the request fits removeApp, at \/name$/);
});

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

test('reports a crash with the exit status and the last output', async () => {
  const crashes = check('box/test/crashes', must, 'crashes', async (box) => void (await box.get('/crash')));
  const { status, read } = await run([crashes]);
  assert.equal(status, 1);
  const [row] = read().checks;
  assert.match(row?.reason ?? '', /^the implementation crashed: GET \/crash: .*; it ended with status 9$/);
  const lines = ['| out of luck', 'it ended with status 9'];
  assert.deepEqual(row?.evidence, [{ about: 'the implementation', lines }]);
});

test('a start that fails in a check is told without a stack trace of the suite', async () => {
  const starts = check(
    'box/test/start',
    must,
    'starts',
    async (box) => void (await box.start({ flags: ['ends'], env: { BOX_HOST: '127.0.0.1' } })),
  );
  const { read } = await run([starts]);
  const [row] = read().checks;
  assert.equal(row?.outcome, 'fail');
  assert.match(row?.reason ?? '', /^.*ended with status 3.*$/);
  assert.match(row?.evidence[0]?.lines[0] ?? '', /^\$ \S+ --no-warnings \S+canned-box\.ts ends with BOX_HOST$/);
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
    /hangs: it did not stop within 1000 ms of SIGTERM/,
    { stopTimeoutMs: 1000 },
  ],
  [
    'a start',
    (box) => box.start({ port: 9, env: { BOX_PORT: '0' }, readyTimeoutMs: 50 }),
    /hangs at its start: .* did not answer on its port 9/,
    {},
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
