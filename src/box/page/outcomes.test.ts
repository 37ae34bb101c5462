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

test('says how a removed app comes back, and that its containers may have stayed', () => {
  const fine = answeredResult('remove', 'wiki', done({ compose_warning: null }), 900);
  match(fine.text, /boxgate box trash restore wiki/);
  equal(fine.kind, 'done');
  const warned = answeredResult('remove', 'wiki', done({ compose_warning: 'docker does not answer' }), 900);
  equal(warned.kind, 'partial');
  match(warned.text, /docker does not answer/);
});

const partial = (actions: object[]) => ({ kind: 'partial' as const, status: 207, body: { actions } });

/** choice/box/298 */
test('tells the error of the app acted on from the trouble of others (207)', () => {
  const own = { kind: 'error', target: 'wiki/web', detail: 'port 80 is taken.' };
  const other = { kind: 'error', target: 'vault', detail: 'no such image.' };
  deepEqual(answeredResult('install', 'wiki', partial([own, other]), 5000), {
    kind: 'partial',
    text: 'Installed in 5 s, but this app did not come up: port 80 is taken.',
    more: 'Trouble with another app: vault.',
  });
  deepEqual(answeredResult('install', 'wiki', partial([other]), 5000), {
    kind: 'done',
    text: 'Installed in 5 s.',
    more: 'Trouble with another app: vault.',
  });
});

test('shows the lines of a log as they are, and how to restore the settings of before', () => {
  const detail = 'the container wiki-web-1 ended with status 3. Its last lines:\nno disk\n  at main\n';
  const actions = [{ kind: 'error', target: 'wiki/web', detail }];
  deepEqual(answeredResult('settings', 'wiki', partial(actions), 5000), {
    kind: 'partial',
    text: 'Settings saved in 5 s, but this app did not come up: the container wiki-web-1 ended with status 3. Its last lines:',
    detail: 'no disk\n  at main',
    more: 'To restore the settings of before, run `boxgate box settings undo wiki` on the box.',
  });
  equal(answeredResult('start', 'wiki', partial(actions), 5000).more, undefined);
});

test('says when a start had nothing to do', () => {
  const start = (kind: string) =>
    answeredResult('start', 'wiki', done({ actions: [{ kind, target: 'wiki', detail: '' }] }), 5000).text;
  equal(start('start'), 'Started in 5 s.');
  equal(start('noop'), 'Nothing had to be started.');
});

test('says from which version to which an app was updated, or could not be', () => {
  const versions = { from: '1.10', to: '1.11' };
  const services = [{ service: 'web' }];
  equal(
    answeredResult('update', 'wiki', done({ services }), 3000, versions).text,
    'Updated from 1.10 to 1.11 in 3 s.',
  );
  const message = 'the new version does not stay up; version 1.10 runs again. Its last lines:\nno disk';
  deepEqual(
    answeredResult('update', 'wiki', { kind: 'refused', status: 502, body: {}, message }, 10, versions),
    {
      kind: 'refused',
      text: 'Update to 1.11 failed: the new version does not stay up; version 1.10 runs again. Its last lines:',
      detail: 'no disk',
    },
  );
});

test('tells a refusal from a failure', () => {
  const refusal = (status: number) =>
    answeredResult('install', 'wiki', { kind: 'refused', status, body: {}, message: 'because' }, 10).text;
  equal(refusal(400), 'Install refused: because');
  equal(refusal(502), 'Install failed: because');
});

test('knows after a lost answer what the lists can tell, and no more', () => {
  match(knownAfterLoss('install', true)?.text ?? '', /is installed now/);
  equal(knownAfterLoss('install', false), null);
  match(knownAfterLoss('remove', false)?.text ?? '', /was removed/);
  equal(knownAfterLoss('remove', true), null);
  match(knownAfterLoss('update', true)?.text ?? '', /not known/);
  match(stillUnknown('install', true).text, /does not list the app as installed/);
  match(stillUnknown('install', false).text, /does not answer/);
});
