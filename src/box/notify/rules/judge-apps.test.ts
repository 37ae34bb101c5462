import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DownSince, judgeApps } from './judge-apps.ts';

/** The texts for an app that has each of these states at these seconds. */
function told(steps: [number, string][], isChanging = false): string[] {
  let since: DownSince = new Map();
  return steps.flatMap(([second, state]) => {
    const states = new Map([['notes', { state, state_detail: 'It stopped.' }]]);
    const judged = judgeApps(states, since, { now: second * 1000, isChanging });
    since = judged.since;
    return judged.notices.map(({ state: found, text }) => `${second} ${found} ${text}`);
  });
}

const down = (second: number) => `${second} down notes is down. It stopped.`;
const up = (second: number) => `${second} ok notes runs again.`;

test('an app is down when it has been so for 20 seconds', () => {
  for (const state of ['stopped', 'restarting', 'unhealthy']) {
    const steps: [number, string][] = [
      [0, 'running'],
      [5, state],
      [24, state],
      [25, state],
      [30, 'running'],
    ];
    assert.deepEqual(told(steps), [up(0), down(25), up(30)]);
  }
});

test('a restart that heals is no news', () => {
  const steps: [number, string][] = [
    [0, 'stopped'],
    [15, 'starting'],
    [25, 'stopped'],
    [44, 'stopped'],
  ];
  assert.deepEqual(told(steps), []);
});

test('a state that says nothing certain is no news', () => {
  for (const state of ['unknown', 'not_started', 'starting']) {
    assert.deepEqual(
      told([
        [0, state],
        [99, state],
      ]),
      [],
    );
  }
});

test('during a change an app may be down for ten minutes', () => {
  const steps: [number, string][] = [
    [0, 'stopped'],
    [599, 'stopped'],
    [600, 'stopped'],
  ];
  assert.deepEqual(told(steps, true), [down(600)]);
});

test('an app that its owner has stopped is no news, nor is its start', () => {
  const states = new Map([['notes', { state: 'stopped', stopped_at: '2026-11-28T14:00:00Z' }]]);
  const { notices, since } = judgeApps(states, new Map([['notes', 0]]), { now: 99_000, isChanging: false });
  assert.deepEqual(notices, [{ topic: 'app notes', state: 'ok', text: null }]);
  assert.equal(since.size, 0);
});
