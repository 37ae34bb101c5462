import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type AppFiles, type Box, startBox } from '../support/box.ts';
import { container, containers, docker } from '../support/docker.ts';
import { generator, seed } from '../support/random.ts';
import { moveTag, newTag, registry } from '../support/registry.ts';
import { launcher } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** Each version adds its row to the volume and to a folder of the app when it starts. Version 2 then ends. */
function version(version: string, tag: string, more: Record<string, string> = {}): AppFiles {
  return {
    manifest: { version, backup: { exclude: ['cache/**'], volumes: { exclude: ['thumbs'] } } },
    compose: `
services:
  web:
    image: "${registry}/web:${tag}"
    command: ["sh", "-c", "cat /www/index.html >> /data/rows; cat /www/index.html >> /files/rows; if grep -q 2 /www/index.html; then echo cannot migrate; exit 3; fi; exec httpd -f -p 8080 -h /www"]
    restart: unless-stopped
    stop_grace_period: 1s
    volumes: ["data:/data", "thumbs:/thumbs", "./files:/files", "/usr/share:/host:ro"]
  calm: { image: "${registry}/web:3", stop_grace_period: 1s }
volumes: { data: , thumbs: }
`,
    files: { '.env.example': 'DB_PASSWORD=of-this-app\n', ...more },
  };
}

async function start(t: TestContext, name: string, tag = '1'): Promise<Box> {
  const box = await startBox(t, { [name]: version('1.0', tag) });
  const answer = await box.install(name);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  mkdirSync(join(box.installed, name, 'cache'));
  writeFileSync(join(box.installed, name, 'cache/big'), 'x');
  return box;
}

const mountpoint = (volume: string) => docker('volume', 'inspect', '--format', '{{.Mountpoint}}', volume);

/** The rows in the volume and in the app's folder. */
const rows = (box: Box, name: string) => [
  readFileSync(join(mountpoint(`${name}_data`), 'rows'), 'utf8'),
  box.read(name, 'files/rows'),
];

const addRow = (name: string, row: string) =>
  docker('exec', container(name, 'web').id, 'sh', '-c', `echo ${row} >> /data/rows; echo ${row} >> /files/rows`);

function restic(box: Box, ...args: string[]) {
  const env = {
    ...process.env,
    RESTIC_REPOSITORY: join(box.state, 'backups'),
    RESTIC_PASSWORD_FILE: join(box.state, 'backup.key'),
    RESTIC_CACHE_DIR: join(box.folder, 'cache'),
  };
  return spawnSync('restic', args, { env, encoding: 'utf8' });
}

function command(box: Box, ...words: string[]): string {
  const { status, stdout, stderr } = box.command('backup', ...words);
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

/** Nothing is left beside volumes and apps, no journal, no first pass, and the repository is sound. */
function assertTidy(box: Box, name: string): void {
  assert.deepEqual(readdirSync(join(mountpoint(`${name}_data`), '..')), ['_data']);
  assert.deepEqual(readdirSync(box.installed), [name]);
  assert.ok(!existsSync(join(box.state, 'backup-journal.json')));
  const check = restic(box, 'check');
  assert.equal(check.status, 0, check.stderr);
}

test('a backup brings back data, settings and version, and says what it lacks', async (t) => {
  const name = 'real-backup';
  const box = await start(t, name);
  addRow(name, 'first');
  const before = rows(box, name);
  const made = command(box, 'make', name);
  assert.match(made, /away for \d+\.\d s/);
  assert.match(made, /not copied: volume real-backup_thumbs \(its manifest excludes it\)/);
  assert.match(made, /not copied: \/usr\/share/);
  assert.equal(container(name, 'web').status, 'running');

  addRow(name, 'second');
  await box.change(name, { DB_PASSWORD: 'changed' });
  const [id = ''] = command(box, 'list', name).split('\t');
  assert.match(command(box, 'show', id), /volume real-backup_data\n/);
  assert.match(command(box, 'restore', name), /goes back to version 1\.0.* and runs/);
  assert.deepEqual(
    rows(box, name),
    before.map((text) => `${text}web 1\n`),
  );
  assert.equal(box.read(name, '.env'), 'DB_PASSWORD=of-this-app\n');
  assert.ok(!box.has(name, 'cache/big'));

  // The replaced app is kept: its files in the trash, its data in a backup.
  const latest = command(box, 'list', name).trim().split('\n').at(-1) ?? '';
  assert.match(latest, /\trestore$/);
  command(box, 'restore', name, latest.slice(0, 8));
  assert.match(rows(box, name).join(), /second.*second/s);
  assertTidy(box, name);

  const second = `${name}-second`;
  assert.match(command(box, 'restore', name, id, '--as', second), /has what real-backup had at .* and runs/);
  assert.deepEqual(
    rows(box, second),
    before.map((text) => `${text}web 1\n`),
  );
  await box.remove(second);
  for (const volume of ['data', 'thumbs']) docker('volume', 'rm', `${second}_${volume}`);

  // Nothing is left of the app: another machine looks the same.
  await box.remove(name);
  for (const volume of ['data', 'thumbs']) docker('volume', 'rm', `${name}_${volume}`);
  command(box, 'restore', name, id);
  assert.deepEqual(
    rows(box, name),
    before.map((text) => `${text}web 1\n`),
  );
  assertTidy(box, name);

  const folder = join(box.folder, 'files');
  command(box, 'restore', id, '--to', folder);
  assert.equal(readFileSync(join(folder, box.installed, name, '.env'), 'utf8'), 'DB_PASSWORD=of-this-app\n');
  assert.equal(spawnSync('grep', ['-rq', 'of-this-app', join(box.state, 'backups')]).status, 1, 'encrypted');
});

test('an update whose new version falls brings images and data of before back', async (t) => {
  const name = 'real-backup-update';
  const tag = newTag('backup');
  await moveTag(tag, '1');
  const box = await start(t, name, tag);
  addRow(name, 'before');
  const before = rows(box, name);
  await moveTag(tag, '2');
  const answer = await box.update(name);
  assert.equal(answer.status, 502, JSON.stringify(answer.body));
  assert.match(answer.body.error, /cannot migrate.*; the app runs its old images again and its data of before$/s);
  assert.deepEqual(
    rows(box, name),
    before.map((text) => `${text}web 1\n`),
  );
  assertTidy(box, name);

  await moveTag(tag, '3');
  assert.equal((await box.update(name)).status, 200);
  assert.deepEqual(
    rows(box, name),
    before.map((text) => `${text}web 1\nweb 3\n`),
  );
  const reasons = command(box, 'list', name).trim().split('\n');
  assert.deepEqual(
    reasons.map((line) => line.split('\t')[4]),
    ['update', 'update'],
  );
  assert.match(reasons[1] ?? '', /away \d+\.\d s$/);
  assertTidy(box, name);
});

test('an upgrade whose new version falls brings files, images and data of before back', async (t) => {
  const name = 'real-backup-upgrade';
  const box = await start(t, name);
  addRow(name, 'before');
  const before = rows(box, name);
  box.bundle(name, version('2.0', '2'));
  const answer = await box.update(name);
  assert.equal(answer.status, 502, JSON.stringify(answer.body));
  assert.match(answer.body.error, /cannot migrate.*; the app runs version 1\.0 again and its data of before$/s);
  assert.deepEqual(
    rows(box, name),
    before.map((text) => `${text}web 1\n`),
  );
  assert.equal(JSON.parse(box.read(name, 'manifest.json')).version, '1.0');
  assertTidy(box, name);

  box.bundle(name, version('3.0', '3'));
  assert.equal((await box.update(name)).status, 200);
  assert.equal(JSON.parse(box.read(name, 'manifest.json')).version, '3.0');
  assertTidy(box, name);
});

test('a repository whose disk is gone is an error and never made again', async (t) => {
  const name = 'real-backup-gone';
  const box = await start(t, name);
  command(box, 'make');
  renameSync(join(box.state, 'backups'), join(box.state, 'moved'));
  const { status, stderr } = box.command('backup', 'make', name);
  assert.equal(status, 1);
  assert.match(stderr, /is not at .*\/backups\. Is its disk mounted\?/);
  assert.ok(!existsSync(join(box.state, 'backups')));
  assert.equal(container(name, 'web').status, 'running');
  const update = box.bundle(name, version('3.0', '3'));
  assert.equal(update, undefined);
  const answer = await box.update(name);
  assert.equal(answer.status, 502);
  assert.match(answer.body.error, /was not updated, because there is no backup/);
  assert.equal(
    containers(name).every((one) => one.status === 'running'),
    true,
  );
  rmSync(join(box.state, 'moved'), { recursive: true });
});

/** A database of this version of the app: it adds a row named after it when it starts, and may end then. */
function database(version: string, end = ''): AppFiles {
  const sql = `create table if not exists rows (name text); insert into rows values ('${version}')`;
  return {
    manifest: { version },
    compose: `
services:
  db:
    image: "${registry}/postgres:15"
    environment: { SQL: "${sql}", END: "${end}" }
    restart: unless-stopped
    stop_grace_period: 20s
    volumes: ["data:/data"]
volumes: { data: }
`,
  };
}

const query = (name: string, sql: string) => {
  const argv = ['/usr/lib/postgresql/15/bin/psql', '-h', '127.0.0.1', '-U', 'postgres', '-qtAc', sql];
  return docker('exec', container(name, 'db').id, ...argv);
};

async function rowsIn(name: string): Promise<string[]> {
  let names = '';
  await until('the database answers', () => {
    try {
      names = query(name, 'select name from rows order by 1');
      return true;
    } catch {
      return false; // It is starting.
    }
  });
  return names.split('\n');
}

test('of a PostgreSQL, a row of before a failing update is there after it, and one of its new version is not', async (t) => {
  const name = 'real-backup-db';
  const box = await startBox(t, { [name]: database('1.0') });
  assert.equal((await box.install(name)).status, 200);
  assert.deepEqual(await rowsIn(name), ['1.0']);
  query(name, "insert into rows values ('before'); insert into rows select 'r' || n from generate_series(1, 997) n");
  assert.equal((await rowsIn(name)).length, 999);
  box.bundle(name, database('2.0', '3'));
  const answer = await box.update(name);
  assert.equal(answer.status, 502, JSON.stringify(answer.body));
  const after = await rowsIn(name);
  assert.deepEqual([after.length, after.includes('before'), after.includes('2.0')], [1000, true, false]);
  box.bundle(name, database('3.0'));
  assert.equal((await box.update(name)).status, 200);
  assert.equal((await rowsIn(name)).includes('3.0'), true);
  assertTidy(box, name);
});

const kills = Number(process.env.BOXGATE_BACKUP_KILLS ?? 100);

/** Runs a command of the box and kills it, or the server. Then the server is started, and finishes what was cut off. */
async function cutOff(box: Box, work: 'make' | 'restore' | 'update', name: string, ms: number): Promise<void> {
  const env = { ...process.env, BOX_INSTALLED_APPS: box.installed, BOX_STATE_DIR: box.state };
  const argv = [launcher, 'box', 'backup', work, name];
  const child = work === 'update' ? null : spawn(process.execPath, argv, { env, stdio: 'ignore' });
  const answer = work === 'update' ? box.update(name).catch(() => null) : null;
  // This pause chooses the moment of the kill; it does not synchronise.
  await pause(ms);
  const ended = child === null || child.exitCode !== null ? null : once(child, 'exit');
  child?.kill('SIGKILL');
  await Promise.all([ended, box.kill(), answer]);
  await box.start();
  // A change of another app has its turn after that.
  await until('what was cut off is in order', () => !existsSync(join(box.state, 'backup-journal.json')));
  await until('the app runs', () => {
    const web = containers(name).find(({ service }) => service === 'web');
    return web?.status === 'running' && box.has(name, 'manifest.json');
  });
}

test(`after kill -9 at ${kills} moments the app runs with the old data or the new (seed ${seed})`, async (t) => {
  const name = 'real-backup-killed';
  const box = await start(t, name);
  const random = generator(seed);
  for (let round = 0; round < kills; round += 1) {
    const work = (['update', 'restore', 'make', 'update'] as const)[round % 4] ?? 'make';
    const [target, isKept] = round % 4 === 0 ? ['2', false] : ['3', true];
    const ms = Math.floor(random() * 9000);
    const told = `round ${round}: ${work} to ${target}, killed after ${ms} ms (seed ${seed})`;
    if (round % 4 === 0) {
      box.bundle(name, version('1.0', '1'));
      if (round > 0) command(box, 'restore', name, first(box, name));
      else command(box, 'make', name);
    }
    addRow(name, `round ${round}`);
    box.bundle(name, version(`${round}.0`, target));
    await cutOff(box, work, name, ms);
    const [volume = '', folder] = rows(box, name);
    const installed = JSON.parse(box.read(name, 'manifest.json')).version;
    const image = container(name, 'web').tag;
    assert.equal(volume, folder, told);
    assert.ok(!volume.includes('web 2'), told);
    assert.equal(image.endsWith(':3'), volume.includes('web 3'), `${told}: ${image} ${volume}`);
    if (!isKept) assert.equal(installed, '1.0', told);
    t.diagnostic(told);
  }
  command(box, 'make', name);
  assertTidy(box, name);
});

function first(box: Box, name: string): string {
  return command(box, 'list', name).slice(0, 8);
}
