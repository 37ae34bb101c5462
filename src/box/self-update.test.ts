import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JobStart, UpdatePorts } from '../self-update/ports.ts';
import { NoReleaseFeed } from '../self-update/rules/update-failed.ts';
import { Refusal } from './api/refusals.ts';
import { StorageFailed } from './core.ts';
import { applySelfUpdate, checkSelfUpdate, type SelfUpdateJob } from './self-update.ts';

type Faults = { feed?: string | Error; start?: JobStart | Error; held?: boolean | Error };

function boxWith({ feed = '{"version": "1.1.0"}', start = 'started', held = false }: Faults) {
  const events: string[] = [];
  const box: UpdatePorts & SelfUpdateJob = {
    command: ['node', 'x'],
    variables: { BOX_PORT: '7000' },
    version: '1.0.0',
    now: () => new Date(0),
    releaseFeed: {
      read: async () => {
        if (feed instanceof Error) throw feed;
        return { text: feed, address: 'file:///srv/release.json' };
      },
    },
    keys: { trusted: () => assert.fail('nothing is signed'), isSigned: () => false },
    platform: 'linux-x64',
    manager: {
      status: () => assert.fail('only an update itself looks at units'),
      restart: () => assert.fail('only an update itself restarts'),
      start: async (unit, command, variables) => {
        const { BOX_UPDATE_ATTEMPT: attempt = '', ...others } = variables;
        assert.match(attempt, /^[0-9a-f-]{36}$/);
        events.push(`start ${unit} ${command.join(' ')} ${JSON.stringify(others)}`);
        if (start instanceof Error) throw start;
        return start;
      },
    },
    updateFiles: {
      readState: async () => ({}),
      writeState: async () => {},
      tryLock: async () => {
        if (held instanceof Error) throw held;
        return held ? null : { release: () => void events.push('release') };
      },
      lock: () => assert.fail('only an update itself waits for the lock'),
      writeRunning: async () => {},
      readRunning: () => assert.fail('only an update itself asks who runs'),
    },
  };
  return { box, events };
}

const refused = (name: string, message: RegExp) => (error: unknown) =>
  error instanceof Refusal && error.refusal === name && message.test(error.message);

describe('checking for an update', () => {
  test('choice/box/137: has its own refusal if no feed is configured', async () => {
    const { box } = boxWith({ feed: new NoReleaseFeed('no release feed is configured') });
    await assert.rejects(checkSelfUpdate(box), refused('noReleaseFeed', /^no release feed is configured; set BOX_/));
  });

  test('throws any other fault unchanged', async () => {
    const { box } = boxWith({ feed: new TypeError('a mistake of ours') });
    await assert.rejects(checkSelfUpdate(box), TypeError);
  });
});

describe('applying an update', () => {
  test('releases the lock before it starts the job', async () => {
    const { box, events } = boxWith({});
    assert.deepEqual(await applySelfUpdate(box), { status: 'dispatched', unit: 'boxgate-update.service' });
    assert.deepEqual(events, ['release', 'start boxgate-update.service node x {"BOX_PORT":"7000"}']);
  });

  test('is refused while the lock is held, and starts nothing', async () => {
    const { box, events } = boxWith({ held: true });
    await assert.rejects(applySelfUpdate(box), refused('updateRunning', /already running/));
    assert.deepEqual(events, []);
  });

  test('is refused if the service manager says that the job runs', async () => {
    const { box } = boxWith({ start: 'already running' });
    await assert.rejects(applySelfUpdate(box), refused('updateRunning', /already running/));
  });

  test('is refused if the lock cannot be tested, and starts nothing', async () => {
    const { box, events } = boxWith({ held: new StorageFailed('the disk is full') });
    await assert.rejects(applySelfUpdate(box), refused('updateStartFailed', /could not be started: the disk is full/));
    assert.deepEqual(events, []);
  });
});
