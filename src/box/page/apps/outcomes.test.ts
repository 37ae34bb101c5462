import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { answeredResult, knownAfterLoss, stillUnknown } from './outcomes.js';

const done = (body: unknown) => ({ kind: 'done' as const, status: 200, body });

test('says how long an install took', () => {
  equal(answeredResult('install', 'wiki', done({ actions: [] }), 12_400).text, 'Installed in 12 s.');
});

test('says that an update found nothing newer, or which services it changed', () => {
  match(answeredResult('update', 'wiki', done({ services: [] }), 3000).text, /^Nothing newer found/);
  const services = [{ service: 'db' }, { service: 'web' }];
  equal(answeredResult('update', 'wiki', done({ services }), 3000).text, 'Updated in 3 s: db, web.');
});

test('says that a removed app can come back, and that some of it may still run', () => {
  const fine = answeredResult('remove', 'wiki', done({ compose_warning: null }), 900);
  deepEqual([fine.kind, fine.isUndoable], ['done', true]);
  const warned = answeredResult('remove', 'wiki', done({ compose_warning: 'docker does not answer' }), 900);
  equal(warned.kind, 'partial');
  equal(warned.detail, 'docker does not answer');
});

const partial = (actions: object[]) => ({ kind: 'partial' as const, status: 207, body: { actions } });

test('tells the error of the app acted on from the trouble of others (207)', () => {
  const detail = 'Bind for 0.0.0.0:80 failed: port is already allocated.';
  const own = { kind: 'error', target: 'wiki/web', detail };
  const other = { kind: 'error', target: 'vault', detail: 'no such image.' };
  deepEqual(answeredResult('install', 'wiki', partial([own, other]), 5000), {
    kind: 'partial',
    text: 'Installed in 5 s, but this app did not come up. Another program on this box uses its port.',
    detail,
    more: 'Trouble with another app: vault.',
  });
  deepEqual(answeredResult('install', 'wiki', partial([other]), 5000), {
    kind: 'done',
    text: 'Installed in 5 s.',
    more: 'Trouble with another app: vault.',
  });
});

test('shows the lines of a log as they are, and offers the settings of before', () => {
  const detail = 'wiki-web-1 ended with status 3. Its last lines:\nno disk\n  at main\n';
  const failure = { kind: 'error', target: 'wiki/web', detail };
  const actions = [{ kind: 'write_env', target: 'wiki', detail: '' }, failure];
  deepEqual(answeredResult('settings', 'wiki', partial(actions), 5000), {
    kind: 'partial',
    text: 'Settings saved in 5 s, but this app did not come up.',
    detail: 'wiki-web-1 ended with status 3. Its last lines:\nno disk\n  at main',
    more: '',
    isUndoable: true,
  });
  equal(answeredResult('start', 'wiki', partial(actions), 5000).isUndoable, undefined);
  equal(answeredResult('settings', 'wiki', partial([failure]), 5000).isUndoable, undefined);
});

test('shows the warnings about the app', () => {
  const warn = (target: string) => ({ kind: 'warn', target, detail: 'its own .env is not used' });
  const { more } = answeredResult('install', 'wiki', done({ actions: [warn('wiki'), warn('vault')] }), 5000);
  equal(more, 'Note: its own .env is not used.');
});

test('says when a start had nothing to do', () => {
  const start = (kind: string) =>
    answeredResult('start', 'wiki', done({ actions: [{ kind, target: 'wiki', detail: '' }] }), 5000).text;
  equal(start('start'), 'Started in 5 s.');
  equal(start('noop'), 'Nothing had to be started.');
});

test('shows the end of a log, which the box puts into one line, as lines', () => {
  const failure = (detail: string) =>
    answeredResult('start', 'wiki', partial([{ kind: 'error', target: 'wiki/web', detail }]), 5000);
  deepEqual(failure('it ended with status 3; its log ends with: starting / cannot open the database'), {
    kind: 'partial',
    text: 'Started in 5 s, but this app did not come up.',
    detail: 'it ended with status 3; its log ends with:\nstarting\ncannot open the database',
    more: '',
  });
  deepEqual(failure('it ended; its log ends with: a; b / c; the app runs version 1.10 again'), {
    kind: 'partial',
    text: 'Started in 5 s, but this app did not come up.',
    detail: 'it ended; the app runs version 1.10 again; its log ends with:\na; b\nc',
    more: '',
  });
});

test('says that an app is still starting', () => {
  const actions = [{ kind: 'create', target: 'wiki/web', detail: 'created; still starting after 15 s' }];
  equal(
    answeredResult('install', 'wiki', done({ actions }), 16_000).text,
    'Installed in 16 s; the app is still starting.',
  );
});

test('says from which version to which an app was updated, or could not be', () => {
  const body = { services: [{ service: 'web' }], from_version: '1.10', to_version: '1.11', kept: ['conf.kept'] };
  deepEqual(answeredResult('update', 'wiki', done(body), 3000, '1.11'), {
    kind: 'done',
    text: 'Updated from 1.10 to 1.11 in 3 s.',
    more: 'Files that you had edited are kept as conf.kept.',
  });
  const refused = { kind: 'refused' as const, status: 502, body: {}, message: 'no such image' };
  equal(answeredResult('update', 'wiki', refused, 10, '1.11').text, 'Update to 1.11 failed: no such image');
});

test('an update says which services are still starting', () => {
  const starting = ['web: still starting, allowed until 2026-11-26 12:30 UTC'];
  const services = [{ service: 'web', from: 'sha256:1', to: 'sha256:2', tag: 'web:1' }];
  const answer = { kind: 'done', status: 200, body: { app: 'wiki', updated: true, services, starting } } as const;
  equal(answeredResult('update', 'wiki', answer, 10).more, `${starting[0]}.`);
});

test('knows after a lost answer what the list can tell, and no more', () => {
  match(knownAfterLoss('install', {})?.text ?? '', /is installed now/);
  equal(knownAfterLoss('install', undefined), null);
  match(knownAfterLoss('remove', undefined)?.text ?? '', /was removed/);
  equal(knownAfterLoss('remove', {}), null);
  match(knownAfterLoss('update', {})?.text ?? '', /not known/);
  equal(knownAfterLoss('update', { version: '1.10' }, '1.11'), null);
  match(knownAfterLoss('update', { version: '1.11' }, '1.11')?.text ?? '', /version 1\.11 is installed now/);
  match(stillUnknown('install', true).text, /does not list the app as installed/);
  match(stillUnknown('update', true).text, /still lists the version of before/);
  match(stillUnknown('install', false).text, /does not answer/);
});

test('says of a stopped app that it was not started', () => {
  const actions = [{ kind: 'skip', target: 'wiki', detail: 'you stopped it' }];
  equal(answeredResult('settings', 'wiki', done({ actions }), 3000).more, 'It was not started: you stopped it.');
  const update = answeredResult('update', 'wiki', done({ services: [], stopped_at: '2026-11-28T14:00:00Z' }), 3000);
  match(update.text, /^The newest images are here for its next start/);
  equal(update.more, 'The app is stopped, so it was not started.');
});
