import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { AppState } from '../api.js';
import { stubApp } from '../testing/stub-server.ts';
import { dockerTrouble, helpfulButton, makeNews, newsText, stateText, stateWords } from './app-state.js';
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

test('offers Start for what stopped, Settings for a placeholder, and no button that does not help', () => {
  const placeholder = 'Not started: its .env still has placeholder values for KEY.';
  const settings = { has_settings: true };
  equal(helpfulButton(app('a', 'stopped')), 'start');
  equal(helpfulButton(app('a', 'not_started', 'Not started yet: the box has not brought it up.')), 'start');
  equal(helpfulButton(app('a', 'not_started', 'Not started: manifest unknown.')), 'start');
  equal(helpfulButton(app('a', 'not_started', 'Not started, because it is broken: no JSON.')), null);
  equal(helpfulButton(app('a', 'not_started', placeholder, settings)), 'settings');
  equal(helpfulButton(app('a', 'not_started', placeholder)), null);
  equal(helpfulButton(app('a', 'not_started', 'Nothing to start: the app has no Compose file.', settings)), null);
  for (const state of ['running', 'starting', 'unhealthy', 'restarting', 'unknown'] as const) {
    equal(helpfulButton(app('a', state, '', settings)), null, state);
  }
});

test('tells once that an app got worse or better', () => {
  const news = makeNews();
  const look = (...apps: App[]) => newsText(news(apps, () => false));
  equal(look(app('a', 'running'), app('b', 'restarting')), '', 'the first look is no news');
  equal(look(app('a', 'stopped', 'It stopped.'), app('b', 'restarting')), 'a: Stopped. It stopped.');
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
  equal(look({ ...app('a', 'stopped'), stoppedAt: '2026-11-28T14:00:00Z' }), '');
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
