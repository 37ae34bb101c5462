import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listApps } from '../apps/list-apps.ts';
import { noAddresses } from '../testing/no-addresses.ts';
import { useTestBox } from '../testing/test-box.ts';
import { withHeldPorts } from './held-ports.ts';

const testBox = useTestBox();
const project = { directory: '/apps/memos', project: 'memos', files: ['compose.yaml'], envFile: null };

test('published ports are closed while Compose changes the containers of their app, also if it fails', async () => {
  const seen: string[] = [];
  const note = (what: string) => async (directory: string) => {
    seen.push(`${what} ${directory}`);
  };
  const { containers } = testBox;
  const failing = { up: () => Promise.reject(new Error('no')), down: containers.down, removeServices: async () => {} };
  const routes = { ...noAddresses, hold: note('hold'), release: note('release') };
  const held = withHeldPorts(Object.assign(Object.create(containers), failing), routes);
  await assert.rejects(held.up(project), /no/);
  await held.removeServices(project, ['web'], 1000);
  assert.deepEqual(seen, ['hold /apps/memos', 'release /apps/memos', 'hold /apps/memos', 'release /apps/memos']);
});

test('the list shows the public addresses of an app', async () => {
  testBox.installed('a');
  testBox.installed('b');
  const { box } = testBox;
  const addresses = () => listApps(box).map((entry) => entry.public_urls);
  assert.deepEqual(addresses(), [undefined, undefined]);
  const urls = new Map([[box.folders.path('b'), ['https://notes.example.test']]]);
  box.addresses = { ...noAddresses, urls: () => urls };
  assert.deepEqual(addresses(), [undefined, ['https://notes.example.test']]);
});
