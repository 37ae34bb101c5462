import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { UpdatePorts } from './ports.ts';
import { failure, UpdateFailed } from './rules/reasons.ts';
import { readUpdateState, type UpdateState } from './rules/update-state.ts';
import { correctInterruptedUpdate, selfUpdateStatus } from './status.ts';
import { runUpdate } from './updater.ts';

/** A box at version 1.0.0 whose state lives in memory, and every state that was ever written. */
function memoryBox(feed: string | UpdateFailed, before: UpdateState | null = null) {
  const written: UpdateState[] = [];
  let text = before === null ? null : JSON.stringify(before);
  let held = false;
  const hold = (value: boolean) => {
    held = value;
  };
  const take = async () => {
    if (held) return null;
    held = true;
    return { release: () => hold(false) };
  };
  const box: UpdatePorts & { written: UpdateState[]; hold(): void; isHeld(): boolean } = {
    version: '1.0.0',
    now: () => new Date('2026-03-01T10:00:00Z'),
    releaseFeed: {
      read: async () => {
        if (feed instanceof UpdateFailed) throw feed;
        return { text: feed, address: 'file:///srv/release.json' };
      },
    },
    keys: { trusted: () => assert.fail('nothing is signed'), isSigned: () => false },
    platform: 'linux-x64',
    jobs: { start: async () => 'started' },
    updateFiles: {
      readState: async () => text,
      writeState: async (state) => {
        assert.ok(held, 'states are written under the lock');
        written.push(state);
        text = JSON.stringify(state);
      },
      tryLock: take,
      lock: take,
      writeRunning: async () => {},
    },
    written,
    hold: () => hold(true),
    isHeld: () => held,
  };
  return box;
}

describe('an update', () => {
  test('starts with checking, and ends done and unchanged when the running version is the newest', async () => {
    const box = memoryBox('{"version": "1.0.0"}');
    assert.equal((await runUpdate(box)).stage, 'done');
    assert.deepEqual(
      box.written.map(({ stage, outcome }) => [stage, outcome]),
      [
        ['checking', undefined],
        ['done', 'unchanged'],
      ],
    );
  });

  test('never takes a downgrade', async () => {
    const box = memoryBox('{"version": "0.9.0"}');
    assert.equal((await runUpdate(box)).stage, 'done');
    assert.equal(box.written.at(-1)?.outcome, 'unchanged');
  });

  test('ends rolled back with the reason while newer versions cannot be installed', async () => {
    const box = memoryBox('{"version": "1.1.0"}');
    assert.equal((await runUpdate(box)).stage, 'rolled_back');
    const { reason, to, outcome } = box.written.at(-1) ?? {};
    assert.match(reason ?? '', /version 1\.1\.0 is available, but version 1\.0\.0 cannot install it/);
    assert.deepEqual([to, outcome], ['1.1.0', 'unchanged']);
  });

  test('ends rolled back with the reason of a feed that fails', async () => {
    const box = memoryBox(failure('feedStatus', { address: 'https://x.example/', status: 410 }));
    assert.equal((await runUpdate(box)).stage, 'rolled_back');
    assert.equal(box.written.at(-1)?.reason, 'the release feed https://x.example/ answers with status 410');
    assert.equal(box.written.at(-1)?.message, undefined);
  });

  test('gives every state the attempt, the unit and its times', async () => {
    const box = memoryBox('{"version": "1.0.0"}');
    await runUpdate(box);
    const [first, last] = box.written;
    assert.ok(first?.attempt);
    assert.equal(last?.attempt, first.attempt);
    assert.equal(last?.unit, 'boxgate-update.service');
    assert.equal(last?.started_at, '2026-03-01T10:00:00.000Z');
    assert.equal(last?.finished_at, '2026-03-01T10:00:00.000Z');
    assert.equal(first.finished_at, undefined);
  });

  test('does nothing beside an update that runs, and leaves its lock alone', async () => {
    const box = memoryBox('{"version": "1.1.0"}');
    box.hold();
    assert.equal((await runUpdate(box)).stage, 'already running');
    assert.deepEqual(box.written, []);
    assert.ok(box.isHeld());
  });

  test('frees the lock at its end', async () => {
    const box = memoryBox(failure('noFeed', { service: 'box' }));
    await runUpdate(box);
    assert.ok(!box.isHeld());
  });
});

describe('a start of the server', () => {
  test('corrects a state that looks unfinished', async () => {
    const box = memoryBox('', { stage: 'downloading', from: '1.0.0', to: '1.1.0' });
    await correctInterruptedUpdate(box);
    const state = await selfUpdateStatus(box);
    assert.deepEqual([state.stage, state.reason], ['rolled_back', 'interrupted']);
    assert.ok(!box.isHeld());
  });

  test('leaves the state of an update that runs alone', async () => {
    const box = memoryBox('', { stage: 'downloading' });
    box.hold();
    await correctInterruptedUpdate(box);
    assert.deepEqual(box.written, []);
  });

  for (const before of [null, { stage: 'done' }, { stage: 'rolled_back', reason: 'x' }] as const) {
    test(`writes nothing when there is nothing to correct: ${JSON.stringify(before)}`, async () => {
      const box = memoryBox('', before);
      await correctInterruptedUpdate(box);
      assert.deepEqual(box.written, []);
      assert.deepEqual(await selfUpdateStatus(box), readUpdateState(before && JSON.stringify(before)));
    });
  }
});
