import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { CommandFailed } from './run-command.ts';
import { streamCommand } from './stream-command.ts';

const never = new AbortController().signal;
const sh = (script: string, signal = never) =>
  streamCommand(['sh', '-c', script], { env: process.env, timeoutMs: 20_000, idleMs: 20_000, signal });

async function textOf(parts: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part.toString('latin1');
  return text;
}

test('gives the whole output, also a long one', async () => {
  equal(await textOf(sh('printf one; printf two')), 'onetwo');
  equal((await textOf(sh('head -c 3000000 /dev/zero'))).length, 3_000_000);
});

test('a failure comes after the last part', async () => {
  const parts: string[] = [];
  const failed = (async () => {
    for await (const part of sh('printf some; echo why >&2; exit 3')) parts.push(part.toString());
  })();
  await rejects(failed, (error) => error instanceof CommandFailed && error.status === 3 && error.stderrTail === 'why');
  deepEqual(parts, ['some']);
  const missing = streamCommand(['no-such-program'], { env: {}, timeoutMs: 9, idleMs: 9, signal: never });
  await rejects(textOf(missing), { notFound: true });
});

test('a caller that stops ends the program, and an abort ends the parts', { timeout: 60_000 }, async () => {
  const first = async (script: string, signal = never) => {
    const parts = sh(script, signal);
    return { parts, text: String((await parts.next()).value) };
  };
  const endless = 'echo $$; while :; do echo more; done';
  const left = await first(endless);
  await left.parts.return(undefined);
  const pid = Number.parseInt(left.text, 10);
  match(left.text, /^\d+\n/);
  const isThere = () => process.kill(pid, 0);
  await rejects(async () => isThere(), { code: 'ESRCH' });
  const gone = new AbortController();
  const cut = await first(endless, gone.signal);
  gone.abort();
  for await (const part of cut.parts) equal(part.length > 0, true);
  equal(await textOf(sh('echo x', gone.signal)), '');
});
