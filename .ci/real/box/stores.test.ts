/**
 * Apps of public stores on a real engine. BOXGATE_STORES names a folder of stores, one folder each: each app is
 * translated and started with a small image in place of its own.
 */

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Translation } from '../../../src/box/stores/rules/translation.ts';
import { translatorOf } from '../../../src/box/stores/rules/translators.ts';
import { type Box, startBox } from '../support/box.ts';
import { forget } from '../support/docker.ts';
import { registry } from '../support/registry.ts';
import { withStandIns } from '../support/stand-in.ts';
import { pageAt } from '../support/until.ts';

const { BOXGATE_STORES: stores, BOXGATE_PLAN } = process.env;

type Taken = Extract<Translation, { taken: true }>;

test('apps of the stores start, and answer where their manifest says', { skip: stores === undefined }, async (t) => {
  const box = await startBox(t, {});
  const folders = readdirSync(stores as string, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name: store } of folders) {
    const apps = await translatedApps(join(stores as string, store));
    const chosen = BOXGATE_PLAN === 'run' ? apps.slice(0, 2) : apps;
    for (const app of chosen) await t.test(`${store}: ${app.name}`, (one) => startApp(one, box, app));
  }
  const { status, stdout } = box.command('catalogue', 'check', '--bundled-apps', box.bundled);
  assert.equal(status, 0, stdout);
});

/** Runtipi opens the folder of an app to all users, so many apps of its store are not root in their container. */
test('a program with a user of its own writes into the folders of its app', async (t) => {
  const box = await startBox(t, {});
  forget(['writer']);
  t.after(() => forget(['writer']));
  const app = join(box.folder, 'store', 'apps', 'writer');
  const command = ['sh', '-c', 'sh /start.sh > /data/index.html && exec httpd -f -p 8080 -h /data'];
  const volumes = [
    { hostPath: '$APP_DATA_DIR/data/web', containerPath: '/data' },
    { hostPath: '$APP_DATA_DIR/data/start.sh', containerPath: '/start.sh' },
  ];
  const main = { isMain: true, internalPort: 8080, user: '1000:1000', command, volumes };
  mkdirSync(join(app, 'data'), { recursive: true });
  writeFileSync(join(app, 'config.json'), JSON.stringify({ id: 'writer', port: 8199, version: '1' }));
  const compose = { services: [{ name: 'writer', image: `${registry}/web:1`, ...main }] };
  writeFileSync(join(app, 'docker-compose.json'), JSON.stringify(compose));
  writeFileSync(join(app, 'data', 'start.sh'), 'echo written by $(id -u)');
  const added = box.command('store', 'add', join(box.folder, 'store'));
  assert.equal(added.status, 0, added.stderr);
  const { status, body } = await box.install('writer');
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(await pageAt('http://127.0.0.1:8199/'), 'written by 1000\n');
  assert.equal((await box.remove('writer')).status, 200);
});

async function translatedApps(store: string): Promise<Taken[]> {
  const files = readdirSync(store, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = files.map((one) => join(one.parentPath, one.name).slice(store.length + 1));
  const translator = translatorOf(paths);
  if (translator === null) return [];
  const folders = Map.groupBy(paths, (path) => path.split('/').slice(0, 2).join('/'));
  const apps: Taken[] = [];
  for (const [folder, ofApp] of folders) {
    if (!folder.startsWith(`${translator.folder}/`)) continue;
    const texts = ofApp.map(
      (path) => [path.slice(folder.length + 1), readFileSync(join(store, path), 'utf8')] as const,
    );
    const translation = await translator.translate(folder.split('/')[1] as string, new Map(texts));
    if (translation.taken) apps.push(translation);
  }
  return apps;
}

async function startApp(t: TestContext, box: Box, { name, files, notes }: Taken): Promise<void> {
  const { ports, settings, ...manifest } = JSON.parse(files['manifest.json']);
  const page: number = ports[0]?.port ?? 0;
  box.bundle(name, {
    manifest: { ...manifest, ports, settings },
    compose: withStandIns(files['compose.yaml'], page),
    files: { '.env.example': files['.env.example'], ...(files['icon.svg'] && { 'icon.svg': files['icon.svg'] }) },
  });
  const open = settings.filter((one: { required: boolean; default: unknown }) => one.required && one.default === null);
  const { status, body } = await box.install(
    name,
    Object.fromEntries(open.map(({ name }: { name: string }) => [name, '1'])),
  );
  if (status !== 200) t.diagnostic(`does not start: ${JSON.stringify(body)}`);
  else if (page > 0) {
    assert.equal(await pageAt(`http://127.0.0.1:${page}/`), 'web 1\n');
    t.diagnostic(`answers at ${page}`);
  } else t.diagnostic('starts, and has no page');
  const removed = await box.remove(name);
  assert.equal(removed.status, status === 200 ? 200 : removed.status, JSON.stringify(removed.body));
  const isExcused = notes.some((note) => /uses devices|runtime: /.test(note));
  if (!isExcused) assert.equal(status, 200, JSON.stringify(body));
}
