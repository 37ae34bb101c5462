import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { startWgEasy } from '../../../fakes/wg-easy/wg-easy.ts';
import { Gateway } from '../support/gateway.ts';
import { boxOf } from '../support/gateways.ts';
import { required } from '../support/required.ts';
import { type Answer, launcher } from '../support/server-process.ts';
import { until } from '../support/until.ts';

const manager = await startWgEasy();
after(() => manager.close());

const hooks = new WeakMap<TestContext, (() => unknown)[]>();

/** Undoes the set-up when the test ends, in reverse order. */
function undos(t: TestContext): (() => unknown)[] {
  const known = hooks.get(t);
  if (known !== undefined) return known;
  const undo: (() => unknown)[] = [];
  hooks.set(t, undo);
  t.after(async () => {
    for (const one of undo.reverse()) await one();
  });
  return undo;
}

/** A file system in memory that can be filled, made read-only, and restored. */
class Disk {
  readonly path: string;

  constructor(t: TestContext, path: string, options: string) {
    this.path = path;
    mkdirSync(path, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]);
    undos(t).push(() => execFileSync('umount', ['-l', path]));
  }

  remount(options: string): void {
    execFileSync('mount', ['-o', `remount,${options}`, this.path]);
  }

  fill(): void {
    // Fills the disk completely; `dd` then fails.
    execFileSync('sh', ['-c', 'dd if=/dev/zero of="$1/filler" bs=4k 2>/dev/null || true', 'sh', this.path]);
  }

  putRight(): void {
    this.remount('rw,size=16M');
    rmSync(join(this.path, 'filler'), { force: true });
  }
}

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(required('BOXGATE_REAL'), 'disks-'));
  undos(t).push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Arguments that each server needs to start, and the folder it writes to. */
const servers = {
  box: (folder: string) => ({ BOX_STATE_DIR: join(folder, 'state'), BOX_PORT: '0' }),
  gateway: (folder: string) => ({
    GATEWAY_STATE_DIR: join(folder, 'state'),
    GATEWAY_PORT: '0',
    GATEWAY_DOMAIN: 'example.org',
    GATEWAY_TUNNEL_URL: manager.url,
    GATEWAY_TUNNEL_PASSWORD: manager.password,
  }),
};
type Kind = keyof typeof servers;

/** Starts a server, and stops it once it is ready. A failed start must end with status 1 and one line that names the path. */
async function tryStart(kind: Kind, folder: string): Promise<'ready' | 'refused'> {
  const child = spawn(process.execPath, [launcher, kind, 'serve'], {
    env: { PATH: process.env.PATH, HOME: folder, ...servers[kind](folder) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  let error = '';
  child.stderr.on('data', (chunk) => {
    error += chunk;
  });
  let isReady = false;
  child.stdout.on('data', () => {
    isReady = true;
    child.kill('SIGTERM');
  });
  const [status, signal] = await once(child, 'close');
  assert.deepEqual([status, signal], [isReady ? 0 : 1, null], error);
  if (isReady) return 'ready';
  assert.match(error, /^boxgate: [^\n]+\n$/);
  assert.ok(error.includes(folder), `names the path: ${error}`);
  return 'refused';
}

const pages = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];
const inodes = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16];

for (const kind of ['box', 'gateway'] as const) {
  for (const { what, options } of [
    { what: 'ever more room', options: pages.map((count) => `size=${count * 4}k`) },
    { what: 'ever more files', options: inodes.map((count) => `size=1M,nr_inodes=${count}`) },
  ]) {
    test(`a start of a ${kind} on an empty disk with ${what} is good, or names the path`, async (t) => {
      const outcomes: string[] = [];
      for (const option of options) {
        const folder = folderOf(t);
        const disk = new Disk(t, join(folder, 'state'), option);
        outcomes.push(await tryStart(kind, folder));
        if (outcomes.at(-1) === 'ready') break;
        // Files that a failed start left behind do not stop the next one.
        disk.remount('size=16M,nr_inodes=1000');
        assert.equal(await tryStart(kind, folder), 'ready', option);
      }
      t.diagnostic(outcomes.join());
      assert.equal(outcomes.at(-1), 'ready');
    });
  }

  // A box starts on a full disk, because an update that filled the disk may have to roll back.
  const onFullDisk = kind === 'box' ? 'ready' : 'refused';

  test(`a start of a ${kind} on a full or read-only disk warns or names the path, and is good afterwards`, async (t) => {
    const folder = folderOf(t);
    const disk = new Disk(t, join(folder, 'state'), 'size=1M');
    for (const [harm, outcome] of [
      [() => disk.fill(), onFullDisk],
      [() => disk.remount('ro'), 'refused'],
    ] as const) {
      harm();
      assert.equal(await tryStart(kind, folder), outcome, 'a disk with nothing on it');
      disk.putRight();
      assert.equal(await tryStart(kind, folder), 'ready');
      disk.remount('size=1M');
      harm();
      // The start may also succeed, because its files exist already.
      t.diagnostic(await tryStart(kind, folder));
      disk.putRight();
      assert.equal(await tryStart(kind, folder), 'ready');
      execFileSync('sh', ['-c', 'rm -rf "$1"/*', 'sh', disk.path]);
      disk.remount('size=1M');
    }
  });
}

test('a start of a gateway whose routes directory is full or read-only names it, and is good afterwards', async (t) => {
  const folder = folderOf(t);
  const disk = new Disk(t, join(folder, 'state', 'routes'), 'size=1M');
  for (const harm of [() => disk.fill(), () => disk.remount('ro')]) {
    harm();
    assert.equal(await tryStart('gateway', folder), 'refused');
    disk.putRight();
    assert.equal(await tryStart('gateway', folder), 'ready');
    execFileSync('sh', ['-c', 'rm -rf "$1"/* "$1"/.boxgate', 'sh', disk.path]);
    disk.remount('size=1M');
  }
});

for (const { place, harm } of [
  // The kernel refuses to make a disk read-only while the store is open on it.
  { place: 'state', harm: 'full' },
  { place: 'routes', harm: 'full' },
  { place: 'routes', harm: 'read-only' },
] as const) {
  test(`changes of a gateway whose ${place} directory is ${harm}: done, or refused and named`, async (t) => {
    const gateway = new Gateway({ manager, domain: 'example.org' });
    undos(t).push(() => rmSync(gateway.folder, { recursive: true, force: true }));
    const disk = new Disk(t, gateway[place], 'size=1M');
    undos(t).push(() => gateway.kill());
    await gateway.start();
    const box = boxOf(await gateway.register('box'));
    const other = boxOf(await gateway.register('other'));
    const ask = gateway.as(box);
    const kept = (await ask.publish('kept', 80)).body;
    const going = (await ask.publish('going', 80)).body;

    if (harm === 'full') disk.fill();
    else disk.remount('ro');
    const isDone: Record<string, boolean> = {};
    const isGood = async ({ status, body }: Answer, what: string) => {
      isDone[what] = status < 300;
      if (isDone[what]) return;
      assert.ok(status === 500 || status === 502, `${what}: ${status}`);
      assert.match(body.error, /disk|full|read-only|store of the gateway failed/, what);
      // Its log arrives beside its answer.
      await until(`${what} names the path`, () => gateway.stderr.includes(disk.path), 10_000);
    };
    await isGood(await gateway.register('third'), 'register');
    await isGood(await ask.publish('new', 80), 'publish');
    await isGood(await ask.unpublish(going.id), 'unpublish');
    await isGood(await ask.heartbeat(), 'heartbeat');
    await isGood(await gateway.as(other).deregister(), 'deregister');
    const rotated = await ask.rotate();
    await isGood(rotated, 'rotate');
    t.diagnostic(JSON.stringify(isDone));

    disk.putRight();
    const token = rotated.status === 200 ? rotated.body.box_token : box.token;
    const again = () => gateway.as({ ...box, token });
    // choice/gateway/88: an unpublished route stays unpublished, even if its route file could not be written.
    const isGone = isDone.unpublish || place === 'routes';
    const expected = ['kept', ...(isGone ? [] : ['going']), ...(isDone.publish ? ['new'] : [])];
    for (const restarts of [false, true]) {
      if (restarts) {
        assert.equal(await gateway.stop(), 0);
        await gateway.start();
      }
      const listed = (await again().list()).body.routes.map((route: { subdomain: string }) => route.subdomain);
      assert.deepEqual(listed, expected);
    }
    assert.equal((await again().publish('later', 80)).status, 201);
    assert.match(gateway.routeFiles().get(box.id) ?? '', /later\.example\.org/);
    assert.equal((await again().unpublish(kept.id)).status, 200);
    assert.equal((await gateway.register('later')).status, 201);
  });
}
