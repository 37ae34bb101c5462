import { equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import type { AppOperation } from '../api.js';
import { localNumber } from '../local-text.js';
import { type App, appLists, needsHelp } from './model.js';
import { doingText, operationStatus, sizesText, underWayText } from './under-way.js';

const operation = (more: Partial<AppOperation>): AppOperation => ({
  kind: 'install',
  since: '2026-11-25T07:44:50Z',
  step: 'waiting',
  ...more,
});

test('the text of a change has its verb, its step and what is pulled', () => {
  for (const [more, text] of [
    [{}, 'Installing: Waiting for its turn'],
    [{ step: 'preparing' }, 'Installing: Under way'],
    [{ kind: 'settings', step: 'building' }, 'Saving settings: Building'],
    [{ kind: 'update', step: 'pulling' }, 'Updating: Downloading'],
    [{ step: 'pulling', layers: 0, layers_total: 6 }, 'Installing: Downloading 0 of 6 parts'],
    [
      { step: 'pulling', layers: 2, layers_total: 6, bytes: 12_000_000, bytes_total: 80_400_000 },
      'Installing: Downloading 12 of 80 MB',
    ],
    // A later version of the box may send other words.
    [{ kind: 'moving' as AppOperation['kind'], step: 'packing' as AppOperation['step'] }, 'Changing: Under way'],
  ] as const) {
    equal(`${doingText(operation(more))}: ${operationStatus(operation(more), 5).text}`, text);
  }
  equal(operationStatus(operation({}), 5).since, 5);
  match(operationStatus(operation({}), undefined).text, /^Waiting for its turn, since \d/);
});

test('two sizes have the unit of the larger one', () => {
  equal(sizesText(0, 900), `${localNumber(0, 1)} of ${localNumber(0.9, 1)} kB`);
  equal(sizesText(512_000, 2_400_000), `${localNumber(0.5, 1)} of ${localNumber(2.4, 1)} MB`);
  equal(sizesText(300_000_000, 1_200_000_000), `${localNumber(0.3, 1)} of ${localNumber(1.2, 1)} GB`);
});

test('the note names what is done now, and how many changes wait', () => {
  const apps = (...operations: (AppOperation | null)[]) =>
    operations.map((one, index) => ({ title: `App ${index}`, operation: one })) as App[];
  const update = operation({ kind: 'update', step: 'verifying' });
  equal(underWayText(apps(null)), '');
  equal(underWayText(apps(null, update)), 'App 1: updating. Until that is done, every other change waits.');
  equal(
    underWayText(apps(operation({}), update, operation({}))),
    'App 1: updating. Until that is done, every other change waits. 2 changes wait already.',
  );
  equal(underWayText(apps(operation({}))), '1 change waits until the box has done what it does now.');
});

test('an app that is being changed is not in trouble', () => {
  const ports = { published: [], open_ports: [] };
  const state = { state: 'not_started' as const, state_detail: '', available_version: null, ...ports };
  const broken = { name: 'notes', ok: false as const, error: 'no', ...state };
  const lists = appLists([{ ...broken, operation: operation({ step: 'pulling' }) }, broken], []);
  equal(lists.installed.map(needsHelp).join(), 'false,true');
});
