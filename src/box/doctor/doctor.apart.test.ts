import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { printRoom } from '../../console/rooms.ts';
import { installApp } from '../apps/install.ts';
import { stopApp } from '../apps/restart-app.ts';
import { ContainersFailed } from '../core.ts';
import { reconcile } from '../engine/reconcile.ts';
import type { SetUpBox } from '../https/https-box.ts';
import type { LogsBox } from '../logs/ports.ts';
import type { PageAnswer } from '../machine.ts';
import type { DiskSpace } from '../space/rules/disk-space.ts';
import { useTestBox } from '../testing/test-box.ts';
import { makeReport } from './make-report.ts';

const t = useTestBox();
const address = 'http://127.0.0.1:7000';
const page = { status: 200, server: 'boxgate/1.0.0', text: '<!doctype html><title>Apps</title>' };

let box: LogsBox & SetUpBox;
let disks: DiskSpace[];

/** A box on which everything is right. */
beforeEach(async () => {
  const readRunning = async () => ({ address, version: '1.0.0', unit: 'boxgate-box.service', pid: 1 });
  const selfUpdate = { version: '1.0.0', updateFiles: { readRunning } } as unknown as SetUpBox['selfUpdate'];
  box = { ...t.box, selfUpdate };
  const { machine } = t;
  machine.commands = new Map<string, string | { problem: string }>([
    ['docker version', '26.1.5'],
    ['docker compose version', '2.26.1'],
    ['docker info', '/var/lib/docker'],
    ['timedatectl', 'yes'],
    [
      'systemctl list-units',
      'boxgate-box.service loaded active running x\nboxgate-console.service loaded active running x',
    ],
    ['journalctl', ''],
  ]);
  machine.pages = new Map<string, Partial<PageAnswer>>([
    [address, page],
    ['https://127.0.0.1', { ...page, server: 'Caddy', certificateUntil: new Date('2026-03-01T00:00:00Z') }],
    ['https://registry-1.docker.io', { status: 401, date: t.clock.now.toUTCString() }],
  ]);
  disks = [{ uses: ['apps', 'Docker'], size: 100e9, free: 50e9 }];
  t.space.disks = async () => disks;
  t.installed('notes');
  await reconcile(t.box, null);
});

const lines = async () => (await printRoom(box, 'box')).lines;
const worst = async () => (await lines()).filter((line) => /^(?:problem|unknown)/.test(line));

test('says of each part that it is right', async () => {
  const { status, lines: found } = await printRoom(box, 'box');
  const text = found.join('\n');
  assert.deepEqual(text.split('\n'), [
    'ok       boxgate: version 1.0.0 answers',
    'ok       Docker: version 26.1.5',
    'ok       Compose: version 2.26.1',
    'ok       apps: 1 installed, and all run',
    'ok       disk: 50 GB of 100 GB are free for apps, Docker',
    'ok       mounts: every disk that an app had is there',
    'ok       clock: it agrees with that of another machine',
    'ok       proxy: it shows the page at https://attic/apps',
    'ok       certificate: that of attic is trusted, until 2026-03-01',
    'off      public addresses: no app can be opened from outside: this box has not joined a gateway',
    'off      backups: no backup is made at night: switch that on in the console, or with boxgate box backup enable',
    'off      updates of apps: none makes a copy of the data, so a version that fails leaves it changed: restic is not installed',
    'off      notifications: nobody gets a message when something is wrong',
    'ok       services: all of boxgate run',
    'ok       permissions: other users of this machine cannot read a secret',
    'looked at 15 things: no problem',
  ]);
  assert.equal(status, 0);
});

const unjudged = 'unknown  proxy: it can be judged only while the server answers';

const faults: [string, (() => unknown) | (() => Promise<unknown>), RegExp][] = [
  [
    'a server that is stopped',
    () => t.machine.pages.delete(address),
    /^problem {2}boxgate: no server answers at .* \(ECONNREFUSED\); systemctl start boxgate-box starts it/,
  ],
  [
    'a server that was never restarted',
    () => t.machine.pages.set(address, { ...page, server: 'boxgate/0.9.0' }),
    /^problem {2}boxgate: boxgate\/0\.9\.0 answers .*restart boxgate-box$/,
  ],
  [
    'another program on the port',
    () => t.machine.pages.set(address, { ...page, server: '' }),
    /^problem {2}boxgate: another program answers/,
  ],
  [
    'Docker that does not run',
    () => t.machine.commands.set('docker version', { problem: 'Is the docker daemon running?' }),
    /^problem {2}Docker: it does not answer \(Is the docker daemon running\?\): systemctl start docker/,
  ],
  [
    'Docker from a snap',
    () => t.machine.commands.set('docker info', '/var/snap/docker/common/var-lib-docker'),
    /^problem {2}Docker: this Docker is a snap, which cannot read .*snap remove docker/,
  ],
  [
    'Compose that is missing',
    () => t.machine.commands.set('docker compose version', { problem: 'docker: no such command' }),
    /^problem {2}Compose: .*install the package/,
  ],
  [
    'containers that are unknown',
    () => t.containers.failing.set('observe', new ContainersFailed('is it running?', true)),
    /^unknown {2}apps: .*is it running\?$/,
  ],
  [
    'an app that is down',
    () => Object.assign(t.containers.containers[0] ?? {}, { state: 'exited', exitCode: 1 }),
    /^problem {2}app: notes is down\. It stopped/,
  ],
  [
    'a disk that is missing',
    async () => {
      t.mount('/mnt/disk');
      t.bundle('films', { 'compose.yaml': 'services: { web: { image: "w:1", volumes: ["/mnt:/films"] } }' });
      await installApp(t.box, { name: 'films', settings: {} });
      t.mount();
      await reconcile(t.box, null);
    },
    /^problem {2}mounts: films is not started: nothing is mounted at \/mnt\/disk, /,
  ],
  [
    'a full disk',
    () => disks.push({ uses: ['backups'], size: 100e9, free: 1e9 }),
    /^problem {2}disk: only 1\.0 GB of 100 GB are free for backups/,
  ],
  [
    'a clock that is wrong',
    () => t.machine.pages.set('https://registry-1.docker.io', { date: 'Thu, 01 Jan 2026 00:00:00 GMT' }),
    /^problem {2}clock: it is \d+ s ahead/,
  ],
  [
    'a name without an address',
    () => {
      box = { ...box, names: ['box.example.org'] };
    },
    /^problem {2}name: box\.example\.org has no address/,
  ],
  [
    'no proxy',
    () => t.machine.pages.delete('https://127.0.0.1'),
    /^unknown {2}proxy: nothing listens on the ports 80 and 443/,
  ],
  [
    'a proxy that leads elsewhere',
    () => t.machine.pages.set('https://127.0.0.1', { status: 502, text: 'Bad Gateway' }),
    /^problem {2}proxy: it answers 502 /,
  ],
  [
    'a certificate that nobody trusts',
    () => t.machine.pages.set('https://127.0.0.1', { ...page, distrust: 'SELF_SIGNED' }),
    /^problem {2}certificate: browsers warn/,
  ],
  [
    'a tunnel that is down',
    () => {
      box = { ...box, addresses: { ...box.addresses, problems: async () => ['it is down'] } };
    },
    /^problem {2}public addresses: it is down$/,
  ],
  [
    'a backup that fails',
    () =>
      t.box.backup.runs.change((runs) => ({
        ...runs,
        enabledAt: t.clock.now.toISOString(),
        endedAt: t.clock.now.toISOString(),
        problem: 'it is full',
      })),
    /^problem {2}backups: notes: it is full$/,
  ],
  [
    'another machine on the repository',
    async () => {
      const at = t.clock.now.toISOString();
      await t.box.backup.runs.change((runs) => ({ ...runs, enabledAt: at, endedAt: at }));
      const made = { id: '1', shortId: '1', time: t.clock.now, paths: [], original: null, host: 'attic', isOwn: false };
      t.repository.kept.push({ ...made, tags: ['app=notes', 'reason=schedule'] });
    },
    /^problem {2}backups: another machine, attic, made the latest backup of notes/,
  ],
  [
    'notifications that do not arrive',
    () => {
      t.notifications.kept = 'https://ntfy.sh/x';
      t.notifications.stored = { ...t.notifications.stored, problem: 'answered 403 Forbidden' };
    },
    /^problem {2}notifications: ntfy\.sh answered 403/,
  ],
  [
    'a unit that failed',
    () =>
      t.machine.commands.set(
        'systemctl list-units',
        'boxgate-box.service loaded failed failed x\nboxgate-console.service loaded active x',
      ),
    /^problem {2}services: boxgate-box\.service failed: journalctl/,
  ],
  [
    'a secret that others can read',
    () => t.machine.modes.set(`${t.directories.state}/backup.key`, 0o644),
    /^problem {2}permissions: .*backup\.key \(mode 644\)/,
  ],
];
for (const [name, make, line] of faults) {
  test(`finds ${name}, and what to do`, async () => {
    await make();
    const [found, ...others] = await worst();
    assert.match(found ?? '', line);
    assert.deepEqual(others, name === 'a server that is stopped' ? [unjudged] : []);
    assert.equal((await printRoom(box, 'box')).status, line.source.startsWith('^problem') ? 1 : 0);
  });
}

test('an app that its owner has stopped is right', async () => {
  await stopApp(t.box, 'notes');
  assert.equal((await lines())[3], 'ok       apps: 1 installed, and all run but 1 that you stopped');
});

test('says what it cannot find out', async () => {
  disks = [];
  t.machine.commands.set('systemctl list-units', '');
  t.machine.commands.delete('timedatectl');
  t.machine.pages.delete('https://registry-1.docker.io');
  assert.deepEqual(await worst(), [
    'unknown  disk: no disk says how much room it has',
    'unknown  clock: no other clock could be asked: is this box connected to the internet?',
    'unknown  services: boxgate was started by hand, so it does not start with this machine: deploy/install.sh makes a service of it',
  ]);
});

test('a proxy that asks for a login is right', async () => {
  t.machine.pages.set('https://127.0.0.1', { status: 401, text: 'who are you?' });
  assert.ok((await lines()).includes('ok       proxy: it asks for a login at https://attic/apps'));
});

test('names the app or program that has the port of an app that is down', async () => {
  t.installed('films', { 'compose.yaml': 'services:\n  web:\n    image: registry/web:1\n    ports: ["8096:80"]\n' });
  await reconcile(t.box, null);
  for (const one of t.containers.containers)
    if (one.project === 'films') Object.assign(one, { state: 'exited', exitCode: 1, published: [] });
  t.sockets.push({ protocol: 'tcp', address: '', from: 8096, to: 8096, inode: '1', isThisBox: false });
  assert.match(
    (await worst()).join(),
    /^problem {2}app: films is down\..* Port 8096 is taken: another program has it\.$/,
  );
});

test('the report has no secret of an app, and no name or public address of the box', async () => {
  const secret = 'hunter2-hunter2';
  t.installed('notes', { '.env': `ADMIN_PASSWORD=${secret}\n` });
  box = { ...box, names: ['box.example.org'] };
  t.machine.hosts.set('box.example.org', ['203.0.113.9']);
  const long = 'x'.repeat(100_000);
  t.machine.commands.set(
    'journalctl',
    `update notes: failed: password ${secret} from 203.0.113.9\n${long}\n`.repeat(50),
  );
  const report = await makeReport(box);
  for (const text of [secret, 'example.org', '203.0.113.9']) assert.ok(!report.includes(text), text);
  for (const text of [
    '## doctor',
    'boxgate 1.0.0',
    'Debian GNU/Linux 12',
    'BOX_ALLOWED_HOSTS',
    'notes 1.0.0: running',
    '## journal of boxgate-box',
  ])
    assert.ok(report.includes(text), text);
  assert.ok(report.length <= 128 * 1024);
});

test('says whether an update begins with a copy', async () => {
  t.repository.isInstalled = true;
  assert.match((await lines()).join('\n'), /^ok {7}updates of apps: each begins with a copy/m);
  Object.assign(box.backup, { beforeUpdate: false });
  assert.match((await lines()).join('\n'), /^off {6}updates of apps: .*BOX_BACKUP_BEFORE_UPDATE is off$/m);
});
