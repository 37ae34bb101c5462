import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followUpdate } from './follow.ts';
import type { UpdateState } from './rules/update-state.ts';

const ours = { attempt: 'a', job: 'boxgate-gateway-update.service' };

/** An updater in memory: each pause leads to the next state, and the job ends after the last one. */
function environmentOf(states: readonly UpdateState[]) {
  let at = 0;
  let elapsed = 0;
  const asked: string[] = [];
  const status = async (unit: string) => {
    asked.push(unit);
    return { state: at >= states.length ? 'inactive' : 'active', pid: 1, restarts: 0, command: '' };
  };
  return {
    asked,
    updateFiles: { readState: async () => states[Math.min(at, states.length - 1)] ?? {} },
    manager: { status },
    stopwatch: {
      elapsed: () => elapsed,
      async pause(ms: number) {
        elapsed += ms;
        at += 1;
      },
    },
  };
}

/** choice/gateway/394 */
test('each stage is shown once, and the final state is returned', async () => {
  const lines: string[] = [];
  const environment = environmentOf([
    { attempt: 'before', stage: 'done' },
    { attempt: 'a', stage: 'checking', message: 'asking the release feed' },
    { attempt: 'a', stage: 'downloading', message: 'downloading', bytes: 1 },
    { attempt: 'a', stage: 'downloading', message: 'downloading', bytes: 2 },
    { attempt: 'a', stage: 'verifying' },
    { attempt: 'a', stage: 'rolled_back', reason: 'the disk is full' },
  ]);
  const end = await followUpdate(environment, ours, (line) => lines.push(line));
  assert.deepEqual(end, { attempt: 'a', stage: 'rolled_back', reason: 'the disk is full' });
  assert.deepEqual(lines, ['checking: asking the release feed', 'downloading: downloading', 'verifying']);
});

test('a job that ends without a final state of its own has no result', async () => {
  for (const last of [
    { attempt: 'a', stage: 'staging' },
    { attempt: 'before', stage: 'done' },
  ]) {
    const environment = environmentOf([last]);
    assert.equal(await followUpdate(environment, ours, () => undefined), null);
    assert.deepEqual(new Set(environment.asked), new Set([ours.job]));
  }
});

test('a final state counts although the job has ended meanwhile', async () => {
  const early = { attempt: 'a', stage: 'staging' };
  const environment = environmentOf([...Array(9).fill(early), { attempt: 'a', stage: 'done' }]);
  assert.equal((await followUpdate(environment, ours, () => undefined))?.stage, 'done');
});

test('a service manager that does not answer is asked again', async () => {
  const environment = environmentOf([
    ...Array(30).fill({ attempt: 'a', stage: 'staging' }),
    { attempt: 'a', stage: 'done' },
  ]);
  environment.manager.status = async () => ({ state: 'unknown', pid: 0, restarts: 0, command: '' });
  assert.equal((await followUpdate(environment, ours, () => undefined))?.stage, 'done');
});
