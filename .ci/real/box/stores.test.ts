/**
 * Apps of stores on a real engine: one of a small store in each form, from its store to its removal. BOXGATE_STORES
 * names a folder of public stores, one folder each: each app is translated and started with a small image in place of
 * its own.
 */

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Translation } from '../../../src/box/rules/translate/translation.ts';
import { translatorOf } from '../../../src/box/stores/rules/translate/translators.ts';
import { type Box, startBox } from '../support/box.ts';
import { container, docker, environment, forget } from '../support/programs/docker.ts';
import { withStandIns } from '../support/programs/stand-in.ts';
import { command } from '../support/saved-app.ts';
import { freePort } from '../support/server-process.ts';
import { smallStores } from '../support/small-stores.ts';
import { pageAt } from '../support/until.ts';

const { BOXGATE_STORES: stores, BOXGATE_PLAN } = process.env;

type Taken = Extract<Translation, { taken: true }>;

function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

for (const [form, { app, files }] of Object.entries(smallStores)) {
  const skip = BOXGATE_PLAN === 'run' && form === 'casaos' && 'all forms run at night';
  test(`an app of a store in the form of ${form} is installed, updated, restored and removed`, { skip }, async (t) => {
    const box = await startBox(t, {});
    t.after(() => forget([app]));
    const port = await freePort();
    const store = join(box.folder, 'store');
    writeFiles(store, files(1, port));
    const run = (...words: string[]) => {
      const { status, stdout, stderr } = box.command('store', ...words);
      assert.equal(status, 0, stdout + stderr);
      return stdout;
    };
    run('add', store, '--name', form);
    assert.equal(run('check', form), `${app}\toffered\n`);
    const offered = async () => (await box.get('/api/bundled')).body;
    assert.deepEqual(
      (await offered()).map((one: Record<string, unknown>) => [one.name, one.store]),
      [[app, form]],
    );

    const installed = await box.install(app, { GREETING: 'Hello' });
    assert.equal(installed.status, 200, JSON.stringify(installed.body));
    const page = () => pageAt(`http://127.0.0.1:${port}/`);
    assert.equal(await page(), 'web 1\n');
    const secret = environment(container(app, 'web').id).get('NOTES_KEY');
    assert.equal(/^[0-9a-f]{40}$/.test(secret ?? ''), form === 'runtipi');
    const inside = (script: string) => docker('exec', container(app, 'web').id, 'sh', '-c', script);
    assert.equal(inside('cat /data/start || true'), form === 'runtipi' ? 'of the store' : '');
    // A program with a user of its own writes into folders that the store has, and into those that it only mounts.
    inside('echo first >> /data/rows && echo made > /made/file');
    command(box, 'make', app);
    inside('echo second >> /data/rows');

    writeFiles(store, files(2, port));
    run('update');
    const updated = await box.update(app);
    assert.deepEqual([updated.status, updated.body.updated], [200, true], JSON.stringify(updated.body));
    assert.equal(await page(), 'web 2\n');
    assert.equal(environment(container(app, 'web').id).get('NOTES_KEY'), secret);
    assert.equal(inside('cat /data/rows'), 'first\nsecond');

    const [id = ''] = command(box, 'list', app).split('\t');
    command(box, 'restore', app, id);
    assert.equal(await page(), 'web 1\n');
    assert.equal(inside('cat /data/rows'), 'first');

    run('remove', form);
    assert.deepEqual(await offered(), []);
    assert.equal(await page(), 'web 1\n');
    assert.equal((await box.remove(app)).status, 200);
  });
}

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
