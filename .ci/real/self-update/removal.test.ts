import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { forget, identity } from '../support/docker.ts';
import { registry } from '../support/registry.ts';
import { until } from '../support/until.ts';
import { answers, ask, feed, first, folder, software, startBox, unit, updatesWell } from './box.ts';
import { machine } from './machine.ts';

const app = 'real-kept';
const settings = '/etc/boxgate/box.env';

async function namesOfApps(): Promise<string[]> {
  const { body } = await ask('/api/apps');
  return body.map(({ name }: { name: string }) => name);
}

before(() => startBox());
after(async () => {
  forget([app]);
  await machine.stopUnit(unit);
  await feed.close();
});

test('the removal of an updated box keeps apps, data and settings, and a new installation finds them', async () => {
  const bundled = machine.path(`/var/lib/boxgate-test/apps/${app}`);
  mkdirSync(bundled, { recursive: true });
  writeFileSync(join(bundled, 'manifest.json'), JSON.stringify({ name: app, version: '1' }));
  writeFileSync(join(bundled, 'compose.yaml'), `services: { web: { image: "${registry}/web:1" } }`);
  assert.equal((await ask('/api/apps/install', { name: app })).status, 200);
  const running = identity(app);
  await updatesWell();
  const apps = await namesOfApps();
  assert.ok(apps.includes(app));
  const before = readFileSync(machine.path(settings), 'utf8');

  const removed = await machine.run(['sh', `${software}/current/deploy/install.sh`, '--uninstall']);
  assert.equal(removed.status, 0, removed.stdout + removed.stderr);
  assert.match(removed.stdout, /\/var\/lib\/boxgate/, 'it says where the data is');
  assert.equal(await answers(), null);
  assert.ok(!existsSync(machine.path(software)));
  assert.equal(await machine.property('LoadState', unit), 'not-found');
  assert.equal(readFileSync(machine.path(settings), 'utf8'), before);
  assert.deepEqual(identity(app), running, 'the app still runs');

  await machine.mustRun(['sh', join(folder, 'unpacked', 'deploy/install.sh')]);
  await until('the box answers again', async () => (await answers()) === first);
  assert.deepEqual(await namesOfApps(), apps);
  assert.deepEqual(identity(app), running);
});
