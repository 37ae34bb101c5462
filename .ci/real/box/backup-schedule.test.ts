import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { type AppFiles, Box, startBox } from '../support/box.ts';
import { container, docker, forget } from '../support/programs/docker.ts';
import { newTag, registry } from '../support/programs/registry.ts';
import { launcher } from '../support/server-process.ts';

const port = 8471;

/** An app that counts its starts in a volume and in its folder. */
function counting(more = ''): AppFiles {
  return {
    compose: `
services:
  web:
    image: "${registry}/web:1"
    command: ["sh", "-c", "echo start >> /data/rows; echo start >> /files/rows; exec httpd -f -p 8080 -h /www"]
    restart: unless-stopped
    stop_grace_period: 1s
    volumes: ["data:/data", "./files:/files", "/usr/share:/host:ro"]
    ${more}
volumes: { data: }
`,
    files: { '.env.example': 'DB_PASSWORD=of-this-app\n' },
  };
}

const rowsOf = (name: string) =>
  readFileSync(join(docker('volume', 'inspect', '--format', '{{.Mountpoint}}', `${name}_data`), 'rows'), 'utf8');

const leftovers = () => {
  const label = 'name=boxgate-rehearsal-';
  return [docker('ps', '-aq', '--filter', label), docker('volume', 'ls', '-q', '--filter', label)];
};

async function restic(box: Box, ...args: string[]): Promise<string> {
  const env = {
    ...process.env,
    RESTIC_REPOSITORY: join(box.state, 'backups'),
    RESTIC_PASSWORD_FILE: join(box.state, 'backup.key'),
    RESTIC_CACHE_DIR: join(box.folder, 'cache'),
  };
  return (await promisify(execFile)('restic', args, { env })).stdout;
}

const shown = (box: Box, ...words: string[]) => {
  const { status, stdout, stderr } = box.command('backup', ...words);
  return { status, text: stdout + stderr };
};

function changeRuns(box: Box, change: object): void {
  const file = join(box.state, 'backup-runs.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...change }));
}

test('every night: all apps, what is kept, a part of the data; then another machine', async (t) => {
  const [a, b, c] = [newTag('nightly-b'), newTag('nightly-a'), newTag('nightly-c')] as const;
  const publishing = counting(`ports: ["127.0.0.1:${port}:8080"]\n    container_name: ${a}-fixed`);
  const box = await startBox(t, { [a]: publishing, [b]: counting('network_mode: host') });
  for (const name of [a, b]) assert.equal((await box.install(name)).status, 200);
  const ownApps = join(box.state, 'catalogue');
  // Another app's project: its backup fails, and only its.
  mkdirSync(join(box.installed, c));
  writeFileSync(join(box.installed, c, 'manifest.json'), JSON.stringify({ name: c, version: '1' }));
  writeFileSync(join(box.installed, c, 'compose.yaml'), `name: ${a}\n${counting().compose}`);
  const bin = join(box.folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\necho "$@" >> ${box.folder}/systemctl\n`);
  chmodSync(join(bin, 'systemctl'), 0o755);
  box.env = { PATH: `${bin}:${process.env.PATH}`, BOX_BACKUP_KEEP: 'daily=1,weekly=1,monthly=2' };

  await t.test('enable', () => {
    const { status, text } = shown(box, 'enable');
    assert.equal(status, 0, text);
    assert.match(text, /made a repository at .*keep its key.*backups are on/s);
    assert.match(readFileSync(join(box.folder, 'systemctl'), 'utf8'), /enable boxgate-backup.timer/);
  });

  await t.test('one app fails, the others are saved, old backups go, one app is rehearsed', async () => {
    // The last of three backups of last year's January stays, as its month's. The draft belongs to a killed backup.
    const year = new Date().getFullYear() - 1;
    const seed = (time: string, ...tags: string[]) => {
      const given = tags.flatMap((tag) => (tag.startsWith('--') ? [tag] : ['--tag', tag]));
      return restic(box, 'backup', '-q', `--time=${year}-${time} 12:00:00`, ...given, '/etc/hostname');
    };
    const scheduled = [`app=${a}`, 'reason=schedule', 'version=1'];
    await Promise.all([
      seed('01-05', ...scheduled),
      seed('01-06', ...scheduled),
      seed('01-07', ...scheduled),
      seed('02-01', `app=${a}`, 'reason=update'),
      seed('02-02', ...scheduled, 'first-pass'),
      seed('02-03', 'of-somebody-else'),
      seed('01-03', '--host=attic', ...scheduled),
      seed('01-04', '--host=attic', ...scheduled),
    ]);
    // A clock was wrong, long before it.
    await seed('01-01', '--time=2099-01-01 03:30:00', `app=${a}`, 'reason=manual', 'version=1');

    const { status, text } = shown(box, 'run');
    assert.equal(status, 1, text);
    assert.match(text, new RegExp(`${a}: backup \\w{8} of `));
    assert.match(text, new RegExp(`${b}: backup \\w{8} of `));
    assert.match(text, new RegExp(`${c}: no backup: the project ${a} is that of `));
    assert.match(text, new RegExp(`${a}: the backup of .* was restored beside the app and stays up`));
    assert.deepEqual(leftovers(), ['', '']);
    assert.match(text, new RegExp(`${b}: cannot be rehearsed: its service web uses the network of the machine`));
    assert.equal(rowsOf(a), 'start\nstart\n', 'the rehearsal has a volume of its own');
    const kept = JSON.parse(await restic(box, 'snapshots', '--json')) as { time: string; tags?: string[] }[];
    const old = kept
      .filter(({ time }) => time.startsWith(`${year}`))
      .map(({ time, tags }) => `${time.slice(5, 10)} ${tags?.at(-1)}`);
    const ofAttic = ['01-03 version=1', '01-04 version=1'];
    assert.deepEqual(old, [...ofAttic, '01-07 version=1', '02-03 of-somebody-else']);
    assert.match(text, /a backup is dated in the future, such as \w{8} of .* \(2099-01-01 03:30 UTC\)/);

    await restic(box, 'backup', '-q', '--host=attic', '--tag=from-attic', `--tag=app=${b}`, '/etc/hostname');
    assert.match(shown(box, 'list').text, new RegExp(`another machine, attic, made the latest backup of ${b}: `));
    const [added] = JSON.parse(await restic(box, 'snapshots', '--json', '--tag=from-attic')) as { id: string }[];
    await restic(box, 'forget', added?.id ?? '');

    const list = (await box.get('/api/apps')).body as { name: string; backup_problem?: string }[];
    assert.deepEqual(
      list.map(({ backup_problem: problem = '' }) => problem.replace(/ is that of .*/, '')),
      ['', '', `no backup: the project ${a}`],
    );
  });

  await t.test('a rehearsal that is killed is gone after the next command', async () => {
    const killed = spawn(process.execPath, [launcher, 'box', 'backup', 'rehearse', a], {
      env: { ...process.env, BOX_INSTALLED_APPS: box.installed, BOX_STATE_DIR: box.state, ...box.env },
      stdio: 'ignore',
    });
    while (leftovers()[0] === '') await new Promise((resolve) => setTimeout(resolve, 50));
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const again = shown(box, 'rehearse', a);
    assert.equal(again.status, 0, again.text);
    assert.deepEqual(leftovers(), ['', '']);
    assert.ok(!existsSync(join(box.state, 'rehearsal')));
  });

  await t.test('a flipped byte is found when its part is read, and told until it is mended', async () => {
    const data = join(box.state, 'backups/data');
    const packs = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter((path) => path.length > 60);
    const pack = packs[0] ?? '';
    const file = join(data, pack);
    const bytes = readFileSync(file);
    chmodSync(file, 0o600);
    writeFileSync(file, bytes.with(10, (bytes[10] ?? 0) ^ 1));
    changeRuns(box, { nextPart: (Number.parseInt(pack.slice(0, 2), 16) % 30) + 1 });
    mkdirSync(ownApps, { recursive: true });
    writeFileSync(join(ownApps, 'mine.txt'), 'an app of my own');
    // So that no pack is repacked or removed.
    box.env = { ...box.env, BOX_BACKUP_KEEP: 'all' };
    const { status, text } = shown(box, 'run');
    assert.equal(status, 1);
    assert.match(text, /the check of the backups failed: /);
    const list = (await box.get('/api/apps')).body as { backup_problem?: string }[];
    for (const { backup_problem: problem = '' } of list) assert.match(problem, /the check of the backups failed/);
    writeFileSync(file, bytes);
  });

  await t.test('another machine has it all', async (t) => {
    const key = readFileSync(join(box.state, 'backup.key'), 'utf8');
    await box.remove(b);
    await box.kill();
    forget([a, b]);
    const other = new Box();
    t.after(() => other.close());
    const address = join(box.state, 'backups');
    const adopt = (input: string, ...flags: string[]) =>
      spawnSync(process.execPath, [launcher, 'box', 'backup', 'adopt', address, ...flags], {
        env: { ...process.env, BOX_INSTALLED_APPS: other.installed, BOX_STATE_DIR: other.state },
        input,
        encoding: 'utf8',
      });
    const wrong = adopt('wrong\n');
    assert.equal(wrong.status, 1);
    assert.match(wrong.stderr, /have another key than the one that was given/);
    assert.deepEqual(
      readdirSync(other.state).filter((name) => name.startsWith('backup.key')),
      [],
    );
    const right = adopt(key);
    assert.equal(right.status, 0, right.stderr);
    assert.match(right.stdout, /\nattic made some until .*; it must not make more/);
    assert.match(adopt(key, '--no-settings').stdout, new RegExp(`\\nBOX_BACKUP_REPOSITORY=${address}\\n`));

    other.env = { BOX_CATALOGUE: ownApps };
    rmSync(ownApps, { recursive: true });
    const { status, text } = shown(other, 'restore', '--all');
    assert.equal(status, 0, text);
    assert.equal(readFileSync(join(ownApps, 'mine.txt'), 'utf8'), 'an app of my own');
    assert.match(text, /not copied: \/usr\/share/);
    assert.match(rowsOf(a), /^start\n(start\n)+$/);
    assert.equal(other.read(a, '.env'), 'DB_PASSWORD=of-this-app\n');
    assert.equal(container(a, 'web').status, 'running');
    assert.match(shown(other, 'restore', '--all').text, new RegExp(`${a}: is installed already`));
  });
});
