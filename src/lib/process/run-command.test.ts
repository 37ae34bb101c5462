import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { CommandFailed, type CommandOptions, runCommand } from './run-command.ts';

const folder = await mkdtemp(join(tmpdir(), 'run-command-'));
after(() => rm(folder, { recursive: true }));

/** A generous time limit, so that a defect cannot hang the test. */
const limits = { timeout: 60_000 };

const sh = (script: string, options: Partial<CommandOptions> = {}) =>
  runCommand(['sh', '-c', script], { timeoutMs: 20_000, ...options });

async function failureOf(running: Promise<unknown>): Promise<CommandFailed> {
  const error = await running.then(
    () => assert.fail('the command did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CommandFailed);
  return error;
}

/** Whether the process exists and is not a zombie. */
const lives = async (pid: number) => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) Z /.test(stat);
};

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate);
}

/** Runs a script and lets its time limit expire once the script has created the file `begun`. */
async function overBegun(t: TestContext, script: string, options: { timeoutMs: number }) {
  const begun = join(folder, `begun-${t.name.length}`);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const ended = failureOf(sh(script.replaceAll('begun', begun), options));
  await until(async () => existsSync(begun));
  t.mock.timers.tick(options.timeoutMs);
  return { begun, ended };
}

test('gives both outputs of a command that ends with status 0', async () => {
  assert.deepEqual(await sh('echo out; echo err >&2'), { stdout: 'out\n', stderr: 'err\n' });
});

test('hands arguments on as they are', async () => {
  const odd = ['a b', '$HOME', '"', "'", '*', 'x\ny', ''];
  const { stdout } = await runCommand(['printf', '[%s]', ...odd], { timeoutMs: 20_000 });
  assert.equal(stdout, odd.map((argument) => `[${argument}]`).join(''));
});

test('a program that needs more memory than it may take fails, and its arguments stay as they are', async () => {
  const script = (bytes: number) => [process.execPath, '-e', `Buffer.alloc(${bytes}, 1)`, 'a b', '$HOME'];
  const options = { timeoutMs: 20_000, memoryKib: 1024 * 1024 };
  assert.ok(await runCommand(script(1), options));
  assert.deepEqual((await failureOf(runCommand(script(2 ** 30), options))).argv, script(2 ** 30));
  assert.equal((await failureOf(runCommand(['no-such-program'], options))).notFound, true);
});

test('gives the command the environment it was handed and nothing else', async () => {
  const { stdout } = await runCommand(['/usr/bin/env'], { timeoutMs: 20_000, env: { ONLY: 'this' } });
  // Node adds this variable itself while coverage is measured.
  assert.equal(stdout.replace(/^NODE_V8_COVERAGE=.*\n/m, ''), 'ONLY=this\n');
});

test('gives the command an empty input, or the one it was handed', async () => {
  assert.equal((await sh('cat')).stdout, '');
  assert.equal((await sh('cat', { stdin: 'text' })).stdout, 'text');
  assert.equal((await sh('exit 0', { stdin: 'x'.repeat(1_000_000) })).stdout, '');
});

test('leads a process group of its own', async () => {
  const { stdout } = await sh('ps -o pgid= -p $$; echo $$');
  const [group, pid] = stdout.trim().split(/\s+/);
  assert.equal(group, pid);
});

test('says how a command failed: its arguments, its status and the end of its errors', async () => {
  const error = await failureOf(sh('echo early; echo first >&2; echo last >&2; exit 3'));
  assert.deepEqual(error.argv.slice(0, 2), ['sh', '-c']);
  assert.equal(error.status, 3);
  assert.equal(error.signal, null);
  assert.equal(error.stdout, 'early\n');
  assert.equal(error.stderrTail, 'first\nlast');
  assert.equal(error.timedOut, false);
  assert.equal(error.notFound, false);
  assert.match(error.message, /exit status 3: first\nlast$/);
});

test('keeps only the end of long errors', async () => {
  const error = await failureOf(sh('yes an error | head -c 100000 >&2; echo; echo the end >&2; exit 1'));
  assert.ok(error.stderrTail.length <= 64 * 1024);
  assert.match(error.stderrTail, /the end$/);
  assert.match(error.stderrTail, /^an error\n/);
  for (const end of ['', 'echo >&2; ']) {
    const line = await failureOf(sh(`yes error | tr "\\n" " " | head -c 100000 >&2; ${end}exit 1`));
    assert.match(line.stderrTail, /^error error/);
  }
  const word = await failureOf(sh('head -c 100000 /dev/zero | tr "\\0" "x" >&2; exit 1'));
  assert.match(word.stderrTail, /^x+$/);
});

test('says which signal ended a command', async () => {
  const error = await failureOf(sh('kill -KILL $$'));
  assert.equal(error.signal, 'SIGKILL');
  assert.equal(error.status, null);
  assert.match(error.message, /ended by SIGKILL/);
});

test('tells a program that is not there apart from a directory that is not there', async () => {
  const missing = await failureOf(runCommand(['no-such-program-x'], { timeoutMs: 20_000 }));
  assert.equal(missing.notFound, true);
  assert.match(missing.message, /no-such-program-x: command not found/);
  assert.equal((missing.cause as NodeJS.ErrnoException).code, 'ENOENT');
  const elsewhere = await failureOf(sh('true', { cwd: join(folder, 'gone') }));
  assert.equal(elsewhere.notFound, false);
  assert.match(elsewhere.message, /no directory/);
});

test('a part of an output can begin a new time limit', limits, async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const seen: string[] = [];
  const said = Promise.withResolvers<void>();
  const onOutput = (text: string) => {
    seen.push(text);
    said.resolve();
    return 2000;
  };
  const ended = failureOf(sh('echo moved >&2; exec sleep 600', { timeoutMs: 1000, onOutput }));
  t.mock.timers.tick(999);
  await said.promise;
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  t.mock.timers.tick(1999);
  await new Promise(setImmediate);
  assert.equal(isEnded, false);
  t.mock.timers.tick(1);
  assert.match((await ended).message, /took longer than 2 s/);
  assert.deepEqual(seen, ['moved\n']);
});

test('ends the whole group of a command that takes too long', limits, async (t) => {
  const { begun, ended } = await overBegun(t, 'sleep 600 & echo $$ $! > begun.new; mv begun.new begun; wait', {
    timeoutMs: 300,
  });
  const error = await ended;
  assert.equal(error.timedOut, true);
  assert.match(error.message, /took longer than 0.3 s/);
  for (const pid of (await readFile(begun, 'utf8')).trim().split(' ')) {
    await until(async () => !(await lives(Number(pid))));
  }
});

test('ends a command that makes no progress, and none whose child computes or writes', limits, async () => {
  const run = (script: string) => runCommand(['sh', '-c', script], { timeoutMs: 60_000, idleMs: 1000 });
  const error = await failureOf(run('sleep 99'));
  assert.equal(error.isIdle, true);
  assert.match(error.message, /made no progress for 1 s/);
  await run('head -c 3000000000 /dev/zero | cat > /dev/null');
  await run('(n=0; while [ $n -lt 1000000 ]; do n=$((n+1)); done); true');
});

test('ends a command that ignores SIGTERM', limits, async (t) => {
  const script = `trap '' TERM; : > begun; sleep 600; sleep 600`;
  const { ended } = await overBegun(t, script, { timeoutMs: 200 });
  t.mock.timers.tick(5000);
  const error = await ended;
  assert.equal(error.timedOut, true);
  assert.equal(error.signal, 'SIGKILL');
});

test('ends a command when its caller aborts, before or after it started', limits, async () => {
  const early = await failureOf(sh('sleep 600', { signal: AbortSignal.abort(new Error('enough')) }));
  assert.equal(early.timedOut, false);
  assert.match(early.message, /was stopped/);
  assert.equal((early.cause as Error).message, 'enough');
  const started = join(folder, 'started');
  const controller = new AbortController();
  const running = failureOf(sh(`touch ${started}; sleep 600`, { signal: controller.signal }));
  await until(async () => existsSync(started));
  controller.abort();
  assert.match((await running).message, /was stopped/);
});

test('keeps the first and the last part of an endless output', async () => {
  const { stdout } = await sh('echo first; yes | head -c 1000000; echo last', { outputLimit: 1000, mayBeCut: true });
  assert.ok(stdout.length < 1100);
  assert.match(stdout, /^first\n/);
  assert.match(stdout, /bytes left out/);
  assert.match(stdout, /last\n$/);
});

test('an output that is cut is a failure, because what is left of it may look whole', async () => {
  const error = await failureOf(sh('yes | head -c 1001', { outputLimit: 1000 }));
  assert.equal(error.isCut, true);
  assert.match(error.message, /too long to be read as a whole$/);
  assert.equal((await sh('yes | head -c 1000', { outputLimit: 1000 })).stdout.length, 1000);
  assert.equal((await failureOf(sh('exit 1'))).isCut, false);
});

test('does not wait for a process that the command left behind with its output open', async () => {
  const { stdout } = await sh('sleep 600 & echo $!');
  process.kill(Number(stdout), 'SIGKILL');
});
