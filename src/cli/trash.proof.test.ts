import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runBoxgate, serveBoxgate } from '../lib/testing/boxgate-process.ts';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';

const folder = temporaryFolder();

/** A PATH with flock and without Docker: a remove works there too. */
const tools = join(folder, 'bin');
mkdirSync(tools);
const flock = spawnSync('sh', ['-c', 'command -v flock'], { encoding: 'utf8' }).stdout.trim();
symlinkSync(flock, join(tools, 'flock'));
const env = { PATH: tools, HOME: folder, BOX_STATE_DIR: join(folder, 'state') };

const box = (...args: string[]) => runBoxgate(['box', ...args], env);

const trash = (...args: string[]) => box('trash', ...args);

async function removeApp(name: string): Promise<void> {
  const server = await serveBoxgate(['box', 'serve'], env);
  const body = JSON.stringify({ name });
  assert.equal((await fetch(`${server.address}/api/apps/remove`, { method: 'POST', body })).status, 200);
  await server.stop();
}

test('box/process/26, choice/box/116: a removed app is listed, and comes back with all that it had', async () => {
  const app = join(folder, 'state', 'apps', 'notes');
  mkdirSync(join(app, 'data'), { recursive: true });
  writeFileSync(join(app, 'manifest.json'), '{"name": "notes", "version": "1"}');
  writeFileSync(join(app, 'compose.yaml'), 'services: {web: {image: "notes:1"}}\n');
  writeFileSync(join(app, 'data', 'text'), 'dear diary');
  await removeApp('notes');
  assert.equal(existsSync(app), false);

  const listed = await trash('list');
  assert.equal(listed.status, 0);
  assert.match(listed.out, /^notes\t.*\d{4}-\d\d-\d\dT[^\n]*\n$/);

  const restored = await trash('restore', 'notes');
  // There is no Docker here.
  assert.match(restored.err, /^notes is back, but it does not run: [^\n]*Docker[^\n]*\n$/);
  assert.equal(restored.status, 1);
  assert.equal(readFileSync(join(app, 'data', 'text'), 'utf8'), 'dear diary');
  assert.equal((await trash('list')).out, '');
});

test('choice/box/289: settings undo swaps the .env also without Docker, and says what it did', async () => {
  const app = join(folder, 'state', 'apps', 'feeds');
  mkdirSync(app, { recursive: true });
  writeFileSync(join(app, 'manifest.json'), '{"name": "feeds", "version": "1"}');
  writeFileSync(join(app, 'compose.yaml'), 'services: {web: {image: "feeds:1"}}\n');
  writeFileSync(join(app, '.env'), 'TITLE=new\n');
  const { status, out, err } = await box('settings', 'undo', 'feeds');
  assert.deepEqual([status, out], [1, '']);
  assert.equal(err, 'there is nothing to undo: no other .env of feeds is kept\n');
  writeFileSync(join(app, '.env.bak'), 'TITLE=old\n');
  const undone = await box('settings', 'undo', 'feeds');
  assert.equal(undone.status, 1);
  assert.match(
    undone.err,
    /^feeds has its previous settings again \(changed TITLE\), but it does not run: [^\n]*Docker[^\n]*\n$/,
  );
  assert.equal(readFileSync(join(app, '.env'), 'utf8'), 'TITLE=old\n');
  assert.match((await box('settings', 'undo', 'absent')).err, /^boxgate: the app absent is not installed\n$/);
});

test('box/process/26: an app that is not kept is exit status 1 and one line', async () => {
  const { status, out, err } = await trash('restore', 'nothing');
  assert.deepEqual([status, out], [1, '']);
  assert.match(err, /^[^\n]*"nothing"[^\n]*\n$/);
});
