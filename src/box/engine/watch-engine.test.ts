import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { useTestBox } from '../testing/test-box.ts';
import type { EngineEvents } from './ports.ts';
import { watchEngine } from './watch-engine.ts';

const testBox = useTestBox();

/** A watch on a fake engine, with a clock and an event stream that only the test moves. */
function watched() {
  const due: { at: number; run: () => void }[] = [];
  const streams: { event: () => void; die: (directory: string) => void; end: () => void; isStopped: boolean }[] = [];
  let now = 0;
  let answers = 0;
  const events: EngineEvents = {
    follow(event, onStop) {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const stream = { event, die: onStop, end, isStopped: false };
      streams.push(stream);
      const stop = () => {
        stream.isStopped = true;
      };
      return { ended, stop };
    },
  };
  const later = (ms: number, run: () => void) => due.push({ at: now + ms, run });
  const box = { ...testBox.box, events, later, now: () => new Date(now) };
  const watch = watchEngine(box, () => {
    answers += 1;
  });
  /** Moves the clock, and lets all due work run. */
  const pass = async (ms: number) => {
    const end = now + ms;
    for (;;) {
      await turn();
      const next = due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      due.splice(due.indexOf(next), 1);
      now = next.at;
      next.run();
    }
    now = end;
  };
  const snapshots = () => testBox.containers.calls.filter((call) => call === 'observe').length;
  const stream = () => streams.at(-1) as (typeof streams)[number];
  return { watch, pass, snapshots, streams, stream, answers: () => answers };
}

const stateOf = (name: string) => testBox.box.states.of(testBox.box.apps.all('installed')).get(name)?.state;

test('takes a snapshot at once, and then only after events (choice/box/265)', async () => {
  testBox.installed('a');
  const { pass, snapshots, stream, answers } = watched();
  await pass(0);
  assert.equal(snapshots(), 1);
  assert.equal(stateOf('a'), 'not_started');
  assert.equal(answers(), 1);
  await pass(60_000);
  assert.equal(snapshots(), 1);
  stream().event();
  await pass(99);
  assert.equal(snapshots(), 1);
  await pass(1);
  assert.equal(snapshots(), 2);
  assert.equal(answers(), 1);
});

test('takes at most two snapshots a second, and one after the last event', async () => {
  const { pass, snapshots, stream } = watched();
  await pass(1000);
  for (let tenth = 0; tenth < 50; tenth += 1) {
    for (let many = 0; many < 20; many += 1) stream().event();
    await pass(100);
  }
  const busy = snapshots();
  assert.ok(busy > 5 && busy <= 12, `${busy} snapshots`);
  await pass(10_000);
  assert.ok(snapshots() <= busy + 1, `${snapshots() - busy} snapshots after the last event`);
});

test('public names follow each event at once, and those of a container that stops lead nowhere', async () => {
  let followed = 0;
  const shut: string[] = [];
  testBox.box.addresses = {
    ...testBox.box.addresses,
    shut: (directory) => shut.push(directory),
    follow() {
      followed += 1;
    },
  };
  const { pass, stream } = watched();
  await pass(1000);
  const before = followed;
  for (const _event of [1, 2, 3]) stream().event();
  assert.equal(followed - before, 3);
  stream().die('/apps/memos');
  assert.deepEqual(shut, ['/apps/memos']);
});

test('an event during a snapshot leads to another one', async (context) => {
  const { pass, snapshots, stream } = watched();
  await pass(1000);
  const answer = Promise.withResolvers<[]>();
  context.mock.method(testBox.containers, 'observe', () => {
    testBox.containers.calls.push('observe');
    return answer.promise;
  });
  stream().event();
  await pass(1000);
  assert.equal(snapshots(), 2);
  stream().event();
  answer.resolve([]);
  await pass(1000);
  assert.equal(snapshots(), 3);
});

test('while Docker is gone every state is unknown, and it is asked less and less often (choice/box/265)', async () => {
  testBox.installed('a');
  const { pass, snapshots, streams, stream, answers } = watched();
  await pass(60_000);
  testBox.containers.fail('observe', 'Docker does not answer; is it running?', true);
  stream().end();
  await pass(100);
  assert.equal(stateOf('a'), 'unknown');
  assert.equal(streams.length, 1);
  await pass(399);
  assert.equal(streams.length, 1);
  for (let tenth = 0; tenth < 600; tenth += 1) {
    stream().end();
    await pass(100);
  }
  // After 0.5, 1, 2 and 4 s, then every 5 s.
  assert.ok(streams.length >= 14 && streams.length <= 17, `${streams.length} streams in a minute`);
  assert.ok(snapshots() <= 2 * streams.length, `${snapshots()} snapshots`);
  assert.equal(answers(), 1);
  testBox.containers.failing.clear();
  stream().end();
  await pass(10_000);
  assert.equal(stateOf('a'), 'not_started');
  assert.equal(answers(), 2);
});

test('a stream that ends after a long time is followed again at once', async () => {
  const { pass, streams, stream } = watched();
  for (let once = 0; once < 5; once += 1) {
    await pass(60_000);
    stream().end();
  }
  await pass(500);
  assert.equal(streams.length, 6);
});

test('an engine whose answer cannot be parsed has no states either', async () => {
  testBox.installed('a');
  testBox.containers.fail('observe', 'docker ps failed with status 1: unknown flag');
  const { pass, answers } = watched();
  await pass(0);
  const state = testBox.box.states.of(testBox.box.apps.all('installed')).get('a');
  assert.equal(state?.state, 'unknown');
  assert.match(state.state_detail, /^Docker does not say .*unknown flag$/);
  assert.equal(answers(), 0);
});

test('a single answer that cannot be parsed does not count as an absence (choice/box/270)', async () => {
  testBox.installed('a');
  const { pass, stream, answers } = watched();
  await pass(60_000);
  testBox.containers.fail('observe', 'docker inspect failed with status 1: no such container');
  stream().event();
  await pass(1000);
  assert.equal(stateOf('a'), 'unknown');
  testBox.containers.failing.clear();
  await pass(10_000);
  assert.equal(stateOf('a'), 'not_started');
  assert.equal(answers(), 1);
});

test('takes another snapshot after a failed one, even if the stream goes on', async () => {
  testBox.installed('a');
  const { pass, snapshots, stream, streams } = watched();
  await pass(60_000);
  testBox.containers.fail('observe', 'docker ps did not end in time', true);
  stream().event();
  await pass(6000);
  assert.equal(stateOf('a'), 'unknown');
  testBox.containers.failing.clear();
  await pass(5000);
  assert.equal(stateOf('a'), 'not_started');
  assert.deepEqual([snapshots(), streams.length], [4, 1]);
});

test('a watch that is stopped ends its stream and does nothing more', async () => {
  const { watch, pass, snapshots, stream, streams } = watched();
  await pass(1000);
  watch.stop();
  assert.equal(stream().isStopped, true);
  stream().end();
  await pass(60_000);
  assert.deepEqual([snapshots(), streams.length], [1, 1]);
});
