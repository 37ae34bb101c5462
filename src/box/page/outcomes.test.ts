import { equal, match } from 'node:assert/strict';
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

test('tells the error of the app acted on from the trouble of others (207)', () => {
  const actions = [
    { kind: 'error', target: 'wiki/web', detail: 'port 80 is taken.' },
    { kind: 'error', target: 'vault', detail: 'no such image.' },
    { kind: 'noop', target: 'feeds', detail: '' },
  ];
  const result = answeredResult('install', 'wiki', { kind: 'partial', status: 207, body: { actions } }, 5000);
  equal(result.kind, 'partial');
  equal(
    result.text,
    'Installed in 5 s, but not all is well. This app did not come up: port 80 is taken. Trouble with another app: vault.',
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
