import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { AppState } from '../api.js';
import { stubApp } from '../testing/stub-server.ts';
import { dockerHelp, dockerTrouble, makeNews, newsText, stateText, stateWords, trouble } from './app-state.js';
import { type App, appLists } from './model.js';

const app = (name: string, state: AppState, detail = 'It is so.', more = {}): App =>
  appLists(
    [
      {
        ...stubApp(name),
        ok: true,
        state,
        state_detail: detail,
        published: [],
        open_ports: [],
        available_version: null,
        ...more,
      },
    ],
    [],
  ).installed[0] as App;

test('has a word and a sign of its own for each state', () => {
  const all = Object.values(stateWords);
  equal(new Set(all.map(({ word }) => word)).size, 7);
  equal(new Set(all.map(({ sign }) => sign)).size, 7);
});

test('says a state once, and times as the reader has them', () => {
  const local = new Date('2026-11-21T10:32Z').toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  deepEqual(stateText('running', 'Running since 2026-11-21 10:32 UTC.'), ['Running', ` since ${local}.`]);
  deepEqual(stateText('restarting', 'It ended with exit code 3.'), [
    'Keeps restarting.',
    ' It ended with exit code 3.',
  ]);
});

test('says in plain words why an app does not run, and offers the button that helps', () => {
  const placeholder = 'Not started: its .env still has placeholder values for KEY.';
  const settings = { has_settings: true };
  const port = 'It could not be started: Bind for 0.0.0.0:8080 failed: port is already allocated.';
  const told = (...args: Parameters<typeof app>) => {
    const { text, help } = trouble(app(...args));
    return `${text} ${help}`;
  };
  for (const [state, detail, more, expected] of [
    ['running', 'Running since now; no space left on device.', settings, ' null'],
    ['starting', 'It was started.', settings, ' null'],
    ['stopped', 'It stopped at 10:12 with exit code 0.', {}, 'It has stopped by itself. start'],
    ['stopped', 'It stopped at 10:12 with exit code 3.', {}, 'It stopped because something went wrong. start'],
    ['stopped', port, settings, 'Another program on this box uses its port. port'],
    ['stopped', port, {}, 'Another program on this box uses its port. null'],
    ['restarting', 'It ended with exit code 0.', {}, 'It stops after every start. See its log. log'],
    ['unhealthy', 'It fails its health check.', {}, 'It runs, but not as it should. See its log. log'],
    ['not_started', 'Not started yet: soon.', {}, 'The box has not started it so far. start'],
    ['not_started', 'Not started: manifest unknown.', {}, 'It could not be started. start'],
    ['not_started', 'Not started: write /x: no space left on device.', {}, 'The disk of this box is full. space'],
    ['not_started', placeholder, settings, 'It waits for a value that only you know. settings'],
    ['not_started', placeholder, {}, 'It waits for a value that only you know. null'],
    ['not_started', 'Nothing to start: no Compose file.', settings, 'There is nothing to start in it. null'],
    ['unknown', 'No daemon.', {}, `${dockerHelp} null`],
  ] as const)
    equal(told('a', state, detail, more), expected, detail);
  const isBroken = { ok: false, error: 'no JSON' };
  equal(
    told('a', 'not_started', 'Not started, because it is broken: no JSON.', isBroken),
    'Its files on this box are damaged. reinstall',
  );
  equal(told('a', 'stopped', 'Stopped by you.', { stopped_at: '2026-11-28T14:00:00Z' }), ' start');
  equal(told('a', 'stopped', '', { operation: { kind: 'start', since: '', step: 'waiting' } }), ' null');
});

test('tells once that an app got worse or better', () => {
  const news = makeNews();
  const look = (...apps: App[]) => newsText(news(apps, () => false));
  equal(look(app('a', 'running'), app('b', 'restarting')), '', 'the first look is no news');
  equal(
    look(app('a', 'stopped', 'It stopped.'), app('b', 'restarting')),
    'a: Stopped. It stopped because something went wrong.',
  );
  equal(look(app('a', 'restarting'), app('b', 'unhealthy')), '', 'it is as bad as it was');
  equal(look(app('a', 'starting'), app('b', 'starting')), '');
  equal(look(app('a', 'running'), app('b', 'running')), 'Running again: a, b.');
  const many = ['a', 'b', 'c', 'd', 'e'];
  look(...many.map((name) => app(name, 'running')));
  equal(look(...many.map((name) => app(name, 'stopped'))), 'Not running as they should: a, b, c and 2 more.');
});

test('an app that its owner has stopped got neither worse nor, once it runs, better', () => {
  const news = makeNews();
  const look = (one: App) => newsText(news([one], () => false));
  look(app('a', 'running'));
  equal(look({ ...app('a', 'stopped'), stopped_at: '2026-11-28T14:00:00Z' }), '');
  equal(look(app('a', 'running')), '');
});

test('leaves to an operation what it does, and to the notice a Docker that does not answer', () => {
  const news = makeNews();
  news([app('a', 'running'), app('b', 'running')], () => false);
  equal(newsText(news([app('a', 'stopped'), app('b', 'unknown')], (name) => name === 'a')), '');
  equal(newsText(news([app('a', 'stopped'), app('b', 'running')], () => false)), '');
});

test('takes Docker for down when no app has a state', () => {
  equal(dockerTrouble([]), '');
  equal(dockerTrouble([app('a', 'unknown', 'No daemon.'), app('b', 'running')]), '');
  equal(dockerTrouble([app('a', 'unknown', 'No daemon.'), app('b', 'unknown')]), 'No daemon.');
});
