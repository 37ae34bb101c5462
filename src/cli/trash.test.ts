import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const launcher = join(import.meta.dirname, 'boxgate.cjs');
const folder = mkdtempSync(join(tmpdir(), 'trash-'));
after(() => rmSync(folder, { recursive: true }));

/** A PATH with flock and without Docker: a remove works there too. */
const tools = join(folder, 'bin');
mkdirSync(tools);
const flock = spawnSync('sh', ['-c', 'command -v flock'], { encoding: 'utf8' }).stdout.trim();
symlinkSync(flock, join(tools, 'flock'));
const env = { PATH: tools, HOME: folder, BOX_STATE_DIR: join(folder, 'state') };

const box = (...args: string[]) =>
  spawnSync(process.execPath, [launcher, 'box', ...args], {
    env,
    encoding: 'utf8',
    timeout: 30_000,
  });

const trash = (...args: string[]) => box('trash', ...args);

async function removeApp(name: string): Promise<void> {
  const server = spawn(process.execPath, [launcher, 'box', 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(server.stdout, 'data');
  const address = /http:\S+/.exec(String(line))?.[0];
  const answer = await fetch(`${address}/api/apps/remove`, {
    method: 'POST',
    body: JSON.stringify({ name }),
  });
  assert.equal(answer.status, 200);
  server.kill('SIGTERM');
  await once(server, 'exit');
}

test('box/process/26, choice/box/118: a removed app is listed, and comes back with all that it had', async () => {
  const app = join(folder, 'state', 'apps', 'notes');
  mkdirSync(join(app, 'data'), { recursive: true });
  writeFileSync(join(app, 'manifest.json'), '{"name": "notes", "version": "1"}');
  writeFileSync(join(app, 'compose.yaml'), 'services: {web: {image: "notes:1"}}\n');
  writeFileSync(join(app, 'data', 'text'), 'dear diary');
  await removeApp('notes');
  assert.equal(existsSync(app), false);

  const listed = trash('list');
  assert.equal(listed.status, 0);
  assert.match(listed.stdout, /^notes\t.*\d{4}-\d\d-\d\dT[^\n]*\n$/);

  const restored = trash('restore', 'notes');
  // There is no Docker here.
  assert.match(restored.stderr, /^notes is back, but it does not run: [^\n]*Docker[^\n]*\n$/);
  assert.equal(restored.status, 1);
  assert.equal(readFileSync(join(app, 'data', 'text'), 'utf8'), 'dear diary');
  assert.equal(trash('list').stdout, '');
});

test('choice/box/289: settings undo swaps the .env also without Docker, and says what it did', () => {
  const app = join(folder, 'state', 'apps', 'feeds');
  mkdirSync(app, { recursive: true });
  writeFileSync(join(app, 'manifest.json'), '{"name": "feeds", "version": "1"}');
  writeFileSync(join(app, 'compose.yaml'), 'services: {web: {image: "feeds:1"}}\n');
  writeFileSync(join(app, '.env'), 'TITLE=new\n');
  const { status, stdout, stderr } = box('settings', 'undo', 'feeds');
  assert.deepEqual([status, stdout], [1, '']);
  assert.equal(stderr, 'there is nothing to undo: no other .env of feeds is kept\n');
  writeFileSync(join(app, '.env.bak'), 'TITLE=old\n');
  const undone = box('settings', 'undo', 'feeds');
  assert.equal(undone.status, 1);
  assert.match(
    undone.stderr,
    /^feeds has its previous settings again \(changed TITLE\), but it does not run: [^\n]*Docker[^\n]*\n$/,
  );
  assert.equal(readFileSync(join(app, '.env'), 'utf8'), 'TITLE=old\n');
  assert.match(box('settings', 'undo', 'absent').stderr, /^boxgate: the app absent is not installed\n$/);
});

test('box/process/26: an app that is not kept is exit status 1 and one line', () => {
  const { status, stdout, stderr } = trash('restore', 'nothing');
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^[^\n]*"nothing"[^\n]*\n$/);
});
