import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type AppFiles, type Box, startBox } from '../support/box.ts';
import { container, containers, docker, forget } from '../support/programs/docker.ts';
import { moveTag, newTag, registry } from '../support/programs/registry.ts';
import { addRow, assertTidy, command, rows, version } from '../support/saved-app.ts';
import { until } from '../support/until.ts';

async function start(t: TestContext, name: string, tag = '1'): Promise<Box> {
  const box = await startBox(t, { [name]: version('1.0', tag) });
  const answer = await box.install(name);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  mkdirSync(join(box.installed, name, 'cache'));
  writeFileSync(join(box.installed, name, 'cache/big'), 'x');
  return box;
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
  // The database answers before it has added the row of its start.
  const after = (await rowsIn(name)).filter((row) => row !== '1.0');
  assert.deepEqual([after.length, after.includes('before'), after.includes('2.0')], [998, true, false]);
  box.bundle(name, database('3.0'));
  assert.equal((await box.update(name)).status, 200);
  await until('the row of the new version', async () => (await rowsIn(name)).includes('3.0'));
  assertTidy(box, name);
});

/** A set-up job that may run once, a database that is not healthy any more, and a web server that needs both. */
const onceJob: AppFiles = {
  compose: `
services:
  web:
    image: "${registry}/web:1"
    stop_grace_period: 1s
    depends_on: { setup: { condition: service_completed_successfully }, db: { condition: service_healthy } }
  db:
    image: "${registry}/web:1"
    stop_grace_period: 1s
    healthcheck: { test: ["CMD-SHELL", "test ! -e /data/sick"], interval: 500ms, retries: 1 }
    volumes: ["./data:/data"]
  setup:
    image: "${registry}/web:1"
    command: ["sh", "-c", "if [ -e /data/done ]; then exit 3; fi; touch /data/done"]
    volumes: ["./data:/data"]
`,
};

test('of an app, exactly the containers that ran run again after a backup and a restart, and no job at a change', async (t) => {
  const name = 'real-backup-once';
  const box = await startBox(t, { [name]: onceJob });
  assert.equal((await box.install(name)).status, 200);
  const folder = join(box.installed, name);
  docker('compose', '--project-directory', folder, '-p', `${name}-mine`, 'up', '-d', '--no-deps', 'db');
  t.after(() => forget([`${name}-mine`]));
  writeFileSync(join(folder, 'data/sick'), '');
  const health = () => docker('inspect', '--format', '{{.State.Health.Status}}', container(name, 'db').id);
  await until('the database is unhealthy', () => health() === 'unhealthy');
  const job = container(name, 'setup').startedAt;
  const ids = () => [name, `${name}-mine`].flatMap(containers).map(({ id, status }) => `${id} ${status}`);
  const before = ids();
  const since = container(name, 'web').startedAt;
  assert.match(command(box, 'make', name), /away for [0-6]\.\d s\n/);
  assert.deepEqual([ids(), container(name, 'setup').startedAt], [before, job]);
  assert.match(box.command('restart', name).stderr, /-db-1 is unhealthy\n$/);
  assert.deepEqual([ids(), container(name, 'setup').startedAt], [before, job]);
  assert.ok(container(name, 'web').startedAt > since);
  rmSync(join(folder, 'data/sick'));
  writeFileSync(join(folder, 'compose.override.yaml'), 'services: { web: { environment: { A: "1" } } }\n');
  assert.equal((await box.change(name, {})).status, 200);
  assert.ok(!before.join().includes(container(name, 'web').id));
  assert.equal(container(name, 'setup').startedAt, job);
});
