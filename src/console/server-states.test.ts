import { deepEqual, equal } from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { askServer } from '../box/adapters/server-states.ts';
import { reconcile } from '../box/engine/reconcile.ts';
import type { ShownState } from '../box/known-apps.ts';
import { useTestBox } from '../box/testing/test-box.ts';
import { portOf } from '../lib/testing/port-of.ts';
import { watchState, withServerStates } from './server-states.ts';

const testBox = useTestBox();
const running = { state: 'running', state_detail: 'Running.', published: [], open_ports: [] } as ShownState;

test('states come from the server without a look; without its answer from a look, which counts until the next', async () => {
  testBox.installed('notes');
  await reconcile(testBox.box, 'notes');
  let told: ReadonlyMap<string, ShownState> | null = new Map([['notes', { ...running, state_detail: 'Told.' }]]);
  const box = withServerStates(testBox.box, async () => told);
  const detailOf = () => box.states.of(box.apps.all('installed')).get('notes')?.state_detail;
  const looks = box.observer.looks();
  await box.states.firstPicture();
  deepEqual([detailOf(), box.observer.looks()], ['Told.', looks]);
  await box.observer.look();
  equal(detailOf()?.startsWith('Running since'), true);
  told = null;
  await box.states.firstPicture();
  deepEqual([detailOf()?.startsWith('Running since'), box.observer.looks()], [true, looks + 2]);
});

test('a state has changed if it differs from the one before, or if nobody knows it', async () => {
  const answers = [null, running, running, { ...running, state: 'starting' } as ShownState];
  const hasChanged = watchState(async () => {
    const state = answers.shift();
    return state ? new Map([['notes', state]]) : null;
  }, 'notes');
  const seen = [];
  for (let count = 0; count < 5; count += 1) seen.push(await hasChanged());
  deepEqual(seen, [true, true, false, true, true]);
});

test('the server is asked under a local name; one that is down or answers otherwise tells nothing', async (t) => {
  let [status, body] = [200, JSON.stringify([{ name: 'notes', ...running, operation: { step: 'pulling' } }, 1])];
  const hosts: (string | undefined)[] = [];
  const server = createServer(({ headers, url }, response) => {
    hosts.push(`${headers.host}${url}`);
    response.writeHead(status).end(body);
  });
  const address = `http://127.0.0.1:${await portOf(t, server)}`;
  deepEqual(await askServer(address), new Map([['notes', running]]));
  deepEqual(hosts, ['localhost/api/apps']);
  [status, body] = [200, '<html>'];
  equal(await askServer(address), null);
  [status, body] = [503, '[]'];
  equal(await askServer(address), null);
  equal(await askServer('http://127.0.0.1:1'), null);
});
