import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useTestBox } from '../testing/test-box.ts';
import { makeNotifier } from './notifier.ts';

const t = useTestBox();
const down = { topic: 'app notes', state: 'down', text: 'notes is down.' };
const back = { topic: 'app notes', state: 'ok', text: 'notes runs again.' };
const address = 'https://ntfy.sh/secret-topic';

/** A notifier of a process; `run` ends the wait for further notices. */
function start() {
  const due: (() => unknown)[] = [];
  const notifier = makeNotifier({ ...t.box, later: (_ms, work) => due.push(work) });
  const run = async () => {
    for (const work of due.splice(0)) await work();
  };
  const tell = async (...notices: (typeof down)[]) => {
    for (const notice of notices) notifier.notify(notice);
    await run();
  };
  return { ...notifier, tell, due };
}

const texts = () => [...t.notifications.sent];

test('sends one message for each change of a state, also after a restart', async () => {
  t.notifications.kept = address;
  await start().tell(down, down);
  await start().tell(down);
  await start().tell(back, { topic: 'disk', state: 'low', text: 'The disk\nis low.' });
  await start().tell(back);
  assert.deepEqual(texts(), ['notes is down.', 'notes runs again.\nThe disk\\u{a}is low.']);
});

test('does nothing while notifications are off', async () => {
  const { tell, due } = start();
  await tell(down);
  assert.deepEqual([texts(), due.length], [[], 0]);
});

test('tries again later and later, and sends the state of that moment', async () => {
  t.notifications.kept = address;
  t.notifications.problem = 'cannot be reached: ENOTFOUND';
  const { tell, deliver } = start();
  await tell(down);
  const triesIn = async (seconds: number) => {
    let tries = 0;
    const { send } = t.notifications;
    t.notifications.send = (...message) => {
      tries += 1;
      return send(...message);
    };
    for (let i = 0; i < seconds; i += 5) {
      await t.box.pause(5000);
      await deliver();
    }
    t.notifications.send = send;
    return tries;
  };
  assert.equal(await triesIn(160), 4);
  assert.ok((await triesIn(24 * 60 * 60)) <= 30);
  assert.deepEqual(t.warnings, ['notifications cannot be sent to ntfy.sh: cannot be reached: ENOTFOUND']);
  assert.equal(t.notifications.stored.problem, 'cannot be reached: ENOTFOUND');
  t.notifications.problem = null;
  await t.box.pause(60 * 60_000);
  await deliver();
  await deliver();
  assert.deepEqual([texts(), t.notifications.stored.problem], [['notes is down.'], null]);
});

test('another address is tried at once', async () => {
  t.notifications.kept = address;
  t.notifications.problem = 'answered 404 Not Found';
  const { tell, deliver } = start();
  await tell(down);
  t.notifications.problem = null;
  await deliver();
  assert.deepEqual(texts(), []);
  t.notifications.kept = 'https://ntfy.sh/another-topic';
  await deliver();
  assert.deepEqual(texts(), ['notes is down.']);
});

test('what another process could not send is sent', async () => {
  t.notifications.kept = address;
  t.notifications.problem = 'did not answer within 10 s';
  await start().tell(down);
  t.notifications.problem = null;
  await start().deliver();
  assert.deepEqual(texts(), ['notes is down.']);
});

test('a full disk costs no message and repeats none', async () => {
  t.notifications.kept = address;
  const { StorageFailed } = await import('../core.ts');
  t.notifications.log.save = () => Promise.reject(new StorageFailed('no space left on the disk'));
  const { tell, deliver } = start();
  await tell(down);
  await deliver();
  await tell(down);
  assert.deepEqual(texts(), ['notes is down.']);
  assert.deepEqual(t.warnings, ['notifications: no space left on the disk']);
});

test('an address that cannot be read is one warning', async () => {
  const { StorageFailed } = await import('../core.ts');
  t.notifications.address = () => {
    throw new StorageFailed('cannot read notify-address');
  };
  const { tell, deliver } = start();
  await tell(down);
  for (let i = 0; i < 3; i += 1) await deliver();
  assert.deepEqual(t.warnings, ['notifications: cannot read notify-address']);
});
