import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { ResticFailed } from '../../restic/ports.ts';
import { makeHandlers } from '../api/handlers.ts';
import { listApps } from '../apps/list-apps.ts';
import { removeApp } from '../apps/remove.ts';
import { restartApp } from '../apps/restart-app.ts';
import { updateApp } from '../apps/update-app.ts';
import { finishBackup, finishWaiting } from '../change/finish.ts';
import { ContainersFailed, StorageFailed } from '../core.ts';
import { reconcile } from '../engine/reconcile.ts';
import { useTestBox } from '../testing/test-box.ts';
import { makeBackup, makeBackups, tryBackup } from './make-backup.ts';
import { restoreFromBackup } from './restore-app.ts';
import { backupLines, backupText, keyText, restoreToFolder } from './rooms/list-backups.ts';
import type { AppFacts } from './rules/app-facts.ts';

const testBox = useTestBox();
let data: string;
beforeEach(async () => {
  testBox.installed('a', { '.env': 'A=1\n', 'rows/file': 'one' });
  testBox.installed('b');
  data = testBox.volumes.add('a', 'data');
  writeFileSync(join(data, 'rows'), 'one');
  testBox.repository.isInstalled = true;
  await reconcile(testBox.box, null);
  testBox.containers.calls = [];
});

const write = (text: string) => {
  writeFileSync(join(data, 'rows'), text);
  testBox.installed('a', { '.env': `A=${text}\n`, 'rows/file': text });
};
const rows = () => [readFileSync(join(data, 'rows'), 'utf8'), testBox.file('a/rows/file'), testBox.file('a/.env')];
const states = () => testBox.containers.containers.map(({ name, state }) => `${name} ${state}`).sort();
const leftovers = () =>
  testBox.tree().filter((path) => /boxgate|restore|journal/.test(path) && !path.startsWith('repository'));
const list = async () => (await backupLines(testBox.box, '')).lines.map((line) => line.split('\t').slice(2).join(' '));

test('copies the running app, then what changed while it is stopped, and starts it', async () => {
  const { awayMs, snapshot } = await makeBackup(testBox.box, 'a', 'manual');
  assert.deepEqual(testBox.containers.calls, ['observe', 'observe', 'stop a-web-1', 'start a-web-1']);
  const [draft, second] = testBox.repository.plans;
  assert.ok(!second?.tags.includes('first-pass'));
  assert.ok(draft?.tags.includes('first-pass'));
  assert.deepEqual(second?.paths.slice(0, 2), [join(testBox.directories.installed, 'a'), data]);
  assert.deepEqual([awayMs, snapshot.id], [0, '00000002']);
  assert.deepEqual(await list(), ['a 1.0.0 manual']);
  assert.deepEqual(leftovers(), []);
});

test('copies an app that does not run once, and starts nothing', async () => {
  for (const one of testBox.containers.containers) one.state = 'exited';
  const { awayMs } = await makeBackup(testBox.box, 'a', 'manual');
  assert.equal(awayMs, null);
  assert.deepEqual(testBox.containers.calls, ['observe', 'observe']);
});

/** A project with a job that has ended, a dependency that is not healthy, and the owner's own of the same folder. */
function addContainers(): void {
  const [web] = testBox.containers.containers.filter(({ project }) => project === 'a');
  if (web === undefined) return;
  web.needs = [{ service: 'db', healthy: true }];
  const like = (service: string, fields: object) => ({
    ...web,
    service,
    name: `a-${service}-1`,
    id: service,
    ...fields,
  });
  testBox.containers.containers.push(
    like('setup', { state: 'exited', restarts: false, needs: [] }),
    like('db', { health: 'unhealthy', startedAt: Number(web.startedAt) + 1, needs: [] }),
    like('own', { project: 'mine', name: 'mine-web-1', needs: [] }),
  );
}
const again = ['stop a-web-1', 'stop mine-web-1 a-db-1', 'start mine-web-1 a-db-1', 'start a-web-1'];

test('stops every container of the folder, and starts exactly those again, dependencies first', async () => {
  addContainers();
  await makeBackup(testBox.box, 'a', 'manual');
  assert.deepEqual(
    testBox.containers.calls.filter((call) => call !== 'observe'),
    again,
  );
  testBox.containers.calls = [];
  await restartApp(testBox.box, 'a');
  const calls = testBox.containers.calls.filter((call) => /^st(op|art) /.test(call));
  assert.deepEqual(calls, again);
});

test('a container that was healthy is waited for, but not for long', async () => {
  addContainers();
  const db = testBox.containers.containers.find(({ id }) => id === 'db');
  Object.assign(db ?? {}, { health: 'healthy' });
  const start = testBox.containers.start.bind(testBox.containers);
  const startedAt: number[] = [];
  testBox.containers.start = async (ids) => {
    startedAt.push(testBox.clock.now.getTime());
    await start(ids);
    if (ids.includes('db')) Object.assign(db ?? {}, { health: 'starting' });
  };
  await makeBackup(testBox.box, 'a', 'manual');
  assert.deepEqual(states(), [
    'a-db-1 running',
    'a-setup-1 exited',
    'a-web-1 running',
    'b-web-1 running',
    'mine-web-1 running',
  ]);
  assert.equal(Number(startedAt[1]) - Number(startedAt[0]), 15_000);
});

test('a backup counts if the app cannot be started afterwards, and says so', async () => {
  for (const verb of ['start', 'up'] as const) testBox.containers.fail(verb, 'port is already allocated');
  const { status, text } = await tryBackup(testBox.box, 'a', 'manual');
  assert.equal(status, 1);
  assert.match(text, /^a: backup 00000002 .* away for 0\.0 s, but it does not run: port is already allocated$/);
  assert.equal(testBox.box.backup.runs.load().apps.a?.failure ?? null, null);
  assert.deepEqual([(await list()).length, leftovers()], [1, []]);

  testBox.containers.failing.clear();
  await reconcile(testBox.box, 'a');
  testBox.containers.fail('start', 'Docker does not answer', true);
  const waiting = await tryBackup(testBox.box, 'a', 'manual');
  assert.match(waiting.text, /, but it waits for its start: Docker does not answer$/);
  assert.equal((await list()).length, 2);
  testBox.containers.failing.clear();
  await finishBackup(testBox.box);
  assert.deepEqual(states(), ['a-web-1 running', 'b-web-1 running']);
});

test('starts what a restart has stopped, if it was cut off', async () => {
  addContainers();
  for (const verb of ['stop', 'start'] as const) testBox.containers.fail(verb, 'Docker does not answer', true);
  await restartApp(testBox.box, 'a');
  testBox.containers.failing.clear();
  for (const one of testBox.containers.containers) one.state = 'exited';
  testBox.containers.calls = [];
  await finishBackup(testBox.box);
  assert.deepEqual(states().slice(0, 3), ['a-db-1 running', 'a-setup-1 exited', 'a-web-1 running']);
  assert.ok(!testBox.containers.calls.includes('up a'));
  assert.deepEqual(leftovers(), []);
  const [{ operation, outcome, detail } = assert.fail()] = testBox.box.history.of('a');
  assert.deepEqual([operation, outcome, detail], ['restart', 'failed', 'was cut off; the app is as it was before']);
});

const foreign: Record<string, [(facts: AppFacts) => object, RegExp]> = {
  'the facts of another app': [() => ({ app: 'b' }), /^ResticFailed: \w{8} is a backup of b$/],
  'the project of another app': [() => ({ project: 'b', volumes: [] }), /project b is that of /],
  'a volume of another app': [
    ({ volumes }) => ({ volumes: volumes.map((one) => ({ ...one, name: 'b_data' })) }),
    /volume b_data exists and belongs to the project b;/,
  ],
  'a link in the place of a volume': [
    ({ volumes: [volume] }) => {
      const folder = join(testBox.repository.shownAddress, '00000002', volume?.path ?? '');
      rmSync(folder, { recursive: true });
      symlinkSync('/etc', folder);
      return {};
    },
    /has no folder .*_data$/,
  ],
};
for (const [title, [change, problem]] of Object.entries(foreign)) {
  test(`a restore refuses a snapshot with ${title}, and changes nothing`, async () => {
    writeFileSync(join(testBox.volumes.add('b', 'data'), 'rows'), 'of b');
    await makeBackup(testBox.box, 'a', 'manual');
    const read = testBox.repository.read.bind(testBox.repository);
    testBox.repository.read = async (...args) => {
      const facts = JSON.parse(await read(...args));
      return JSON.stringify({ ...facts, ...change(facts) });
    };
    write('two');
    const before = states();
    await assert.rejects(restoreFromBackup(testBox.box, 'a', ''), problem);
    assert.deepEqual([rows(), states(), leftovers()], [['two', 'two', 'A=two\n'], before, []]);
  });
}

test('work on one app that cannot be finished holds up only that app', async () => {
  await makeBackup(testBox.box, 'a', 'manual');
  const swap = testBox.box.backup.files.swap;
  testBox.box.backup.files.swap = async () => Promise.reject(new StorageFailed('its disk is away'));
  await assert.rejects(restoreFromBackup(testBox.box, 'a', ''), /restore of a waits: its disk is away/);
  assert.equal(await finishWaiting(testBox.box, 'b'), null);
  assert.match((await finishWaiting(testBox.box, 'a'))?.message ?? '', /its disk is away/);
  await makeBackup(testBox.box, 'b', 'manual');
  await assert.rejects(restoreFromBackup(testBox.box, 'a', ''), /of a was cut off and has to be finished first/);
  testBox.box.backup.files.swap = swap;
  assert.equal(await finishWaiting(testBox.box, null), null);
  assert.deepEqual([testBox.box.backup.waiting.apps(), states()], [[], ['a-web-1 running', 'b-web-1 running']]);
});

test('a restore whose exchange has begun waits, whatever Docker refuses, and is carried out later', async () => {
  await makeBackup(testBox.box, 'a', 'manual');
  write('new');
  const removeContainers = testBox.containers.removeContainers.bind(testBox.containers);
  testBox.containers.removeContainers = async () => Promise.reject(new ContainersFailed('device busy', false));
  await assert.rejects(restoreFromBackup(testBox.box, 'a', ''), /device busy/);
  assert.match((await finishWaiting(testBox.box, 'a'))?.message ?? '', /device busy/);
  assert.deepEqual(testBox.box.backup.waiting.apps(), ['a']);
  testBox.containers.removeContainers = removeContainers;
  assert.equal(await finishWaiting(testBox.box, 'a'), null);
  assert.deepEqual([rows()[0], states()], ['one', ['a-web-1 running', 'b-web-1 running']]);
});

test('a command tells of each app, and goes on after one that fails', async () => {
  const told: string[] = [];
  testBox.repository.unread = ['/x/y'];
  testBox.volumes.volumes[0] = { ...testBox.volumes.volumes[0], mountpoint: '/nowhere' } as never;
  const tell = ({ text }: { text: string }) => told.push(text);
  const status = await makeBackups(testBox.box, { name: '', tell, isStopping: () => false });
  assert.equal(status, 1);
  assert.match(told[0] ?? '', /keep its key/);
  assert.match(told[1] ?? '', /^a: no backup: the folder \/nowhere .* is not on this machine/);
  assert.match(told[2] ?? '', /^b: backup .*could not be read: \/x\/y/s);
  assert.match((await list()).join(), /b 1\.0\.0 manual away 0\.0 s, incomplete/);
  assert.equal(testBox.repository.kept.length, 1, 'the first pass is forgotten');
});

test('a command that is told to stop ends after the app whose backup it makes', async () => {
  const told: string[] = [];
  const tell = ({ text }: { text: string }) => told.push(text);
  assert.equal(await makeBackups(testBox.box, { name: '', tell, isStopping: () => true }), 1);
  assert.deepEqual([told.length, states()], [2, ['a-web-1 running', 'b-web-1 running']]);
});

test('a restore goes back to the latest backup, and keeps the present app; the same restore again does the same', async () => {
  await makeBackup(testBox.box, 'a', 'manual');
  write('two');
  const { status, text } = await restoreFromBackup(testBox.box, 'a', '');
  assert.equal(status, 0, text);
  assert.match(
    text,
    /goes back to version 1\.0\.0; the app of before is in the trash, .* 00000003\. It is back and runs/,
  );
  assert.deepEqual(rows(), ['one', 'one', 'A=1\n']);
  assert.deepEqual(states(), ['a-web-1 running', 'b-web-1 running']);
  assert.equal(testBox.box.trash.list().length, 1);
  assert.equal(testBox.repository.calls.at(-2), 'unlock', 'a backup that failed may have left its lock');
  assert.deepEqual(leftovers(), []);
  await restoreFromBackup(testBox.box, 'a', '');
  assert.deepEqual(rows(), ['one', 'one', 'A=1\n']);
  await restoreFromBackup(testBox.box, 'a', '00000003');
  assert.deepEqual(rows(), ['two', 'two', 'A=two\n']);
});

test('another project that uses a volume is named by a backup, and keeps a restore from its data', async () => {
  const [other] = testBox.containers.containers.filter(({ project }) => project === 'b');
  other?.mounts.push({ type: 'volume', source: data, name: 'a_data', target: '/x', isWritable: true });
  const { facts } = await makeBackup(testBox.box, 'a', 'manual');
  assert.deepEqual(facts.volumes[0]?.usedBy, ['b-web-1']);
  write('two');
  await assert.rejects(restoreFromBackup(testBox.box, 'a', ''), /a_data is also used by .* docker stop b-web-1$/);
  newVersionFalls();
  await assert.rejects(updateApp(testBox.box, 'a'), /could not be put back \(the volume a_data is also used/);
  assert.deepEqual(leftovers(), []);
  if (other !== undefined) other.state = 'exited';
  await restoreFromBackup(testBox.box, 'a', '00000002');
  assert.deepEqual(rows(), ['one', 'one', 'A=1\n']);
});

test('a restore brings back an app of which nothing is left, and pulls its image by digest', async () => {
  await makeBackup(testBox.box, 'a', 'manual');
  await removeApp(testBox.box, 'a');
  testBox.repository.kept.pop();
  rmSync(data, { recursive: true });
  testBox.volumes.volumes = [];
  testBox.containers.images.clear();
  const { status } = await restoreFromBackup(testBox.box, 'a', '');
  assert.equal(status, 0);
  assert.deepEqual(rows(), ['one', 'one', 'A=1\n']);
  assert.deepEqual(testBox.containers.pulled, ['registry/web@sha256:registry/web:1']);
});

const refused: Record<string, [() => Promise<unknown>, RegExp]> = {
  'an app without a backup': [() => restoreFromBackup(testBox.box, 'b', ''), /no backup of b/],
  'an unknown id': [() => restoreFromBackup(testBox.box, 'a', 'dead'), /no backup dead/],
  'the beginning of two ids': [
    async () => {
      await makeBackup(testBox.box, 'a', 'manual');
      return restoreFromBackup(testBox.box, 'a', '0000');
    },
    /several backups begin with 0000/,
  ],
  'a first pass': [
    () => {
      testBox.repository.kept.at(-1)?.tags.push('first-pass');
      return restoreFromBackup(testBox.box, 'a', '00000002');
    },
    /no backup 00000002/,
  ],
};
for (const [title, [work, message]] of Object.entries(refused)) {
  test(`refuses ${title}, and changes nothing`, async () => {
    await makeBackup(testBox.box, 'a', 'manual');
    const before = [rows(), states()];
    await assert.rejects(work(), message);
    assert.deepEqual([rows(), states()], before);
    assert.deepEqual(leftovers(), []);
  });
}

test('shows a backup, prints the key, and restores into a new folder only', async () => {
  await makeBackup(testBox.box, 'a', 'manual');
  assert.match(await backupText(testBox.box, '00000002'), /volume a_data/);
  assert.match(await keyText(testBox.box), /^the key\n\n.*loses the backups/s);
  const folder = join(testBox.root, 'out');
  assert.equal((await restoreToFolder(testBox.box, '00000002', folder)).status, 0);
  assert.equal(readFileSync(join(folder, data, 'rows'), 'utf8'), 'one');
  assert.equal((await restoreToFolder(testBox.box, '00000002', folder)).status, 1);
});

/** The new image writes into the data when it starts, and ends. */
function newVersionFalls(): void {
  testBox.containers.registry.set('registry/web:1', 'sha256:new');
  testBox.containers.fate.set('sha256:new', { state: 'exited', exitCode: 3 });
  const up = testBox.containers.up.bind(testBox.containers);
  testBox.containers.up = async (...args) => {
    await up(...args);
    if (testBox.containers.containers.some(({ imageId }) => imageId === 'sha256:new')) write('migrated');
  };
}

const dataLost: Record<string, () => Promise<unknown>> = {
  'a failed update': async () => {
    newVersionFalls();
    testBox.repository.failing.set('restore', new ResticFailed('disk fault', 'failed'));
    const message =
      /ended with status 3; .*could not be put back \(disk fault\), .* run boxgate box backup restore a \w{8};/s;
    await assert.rejects(updateApp(testBox.box, 'a'), message);
  },
  'an update that was cut off': async () => {
    const { snapshot } = await makeBackup(testBox.box, 'a', 'update');
    const images = [{ from: 'sha256:registry/web:1', tag: 'registry/web:1' }];
    const { files } = testBox.box.backup;
    await files.writeJournal({ app: 'a', operation: 'update', way: 'back', snapshot: snapshot.id, images });
    write('migrated');
    testBox.repository.failing.set('restore', new ResticFailed('disk fault', 'damaged'));
    await finishBackup(testBox.box);
  },
};
for (const [title, lose] of Object.entries(dataLost)) {
  test(`an app whose data cannot be put back after ${title} stays stopped until its owner acts`, async () => {
    await lose();
    assert.equal(testBox.box.backup.files.journal(), null);
    assert.deepEqual([states(), rows()[0]], [['b-web-1 running'], 'migrated']);
    await reconcile(testBox.box, 'b');
    await reconcile(testBox.box, null);
    assert.deepEqual(states(), ['b-web-1 running']);
    const shown = listApps(testBox.box).find(({ name }) => name === 'a');
    assert.match(
      JSON.stringify(shown),
      /run boxgate box backup restore a 0000000\d; to go on with the data as it is, start it/,
    );
    await reconcile(testBox.box, 'a');
    assert.deepEqual(states(), ['a-web-1 running', 'b-web-1 running']);
    assert.equal(
      testBox.containers.containers.find(({ project }) => project === 'a')?.imageId,
      'sha256:registry/web:1',
    );

    await lose();
    testBox.repository.failing.clear();
    await restoreFromBackup(testBox.box, 'a', '');
    assert.deepEqual(states(), ['a-web-1 running', 'b-web-1 running']);
  });
}

for (const [way, content] of [
  ['forth', 'restored'],
  ['back', 'one'],
] as const) {
  test(`a restore into a volume on a disk of its own waits while the disk is away (${way})`, async () => {
    const { files } = testBox.box.backup;
    const folder = files.plan(data, '/rows', null, true);
    await files.begin([folder]);
    mkdirSync(folder.staged, { recursive: true });
    writeFileSync(join(folder.staged, 'rows'), 'restored');
    testBox.mount(data);
    await files.writeJournal({ app: 'a', operation: 'restore', way, folders: [folder] });
    renameSync(data, `${data}-away`);
    mkdirSync(data);
    testBox.mount();
    assert.match((await finishWaiting(testBox.box, 'a'))?.message ?? '', /nothing is mounted at \S+: mount the disk/);
    rmSync(data, { recursive: true });
    renameSync(`${data}-away`, data);
    testBox.mount(data);
    assert.equal(await finishWaiting(testBox.box, 'a'), null);
    assert.deepEqual([rows()[0], existsSync(folder.root)], [content, false]);
  });
}

test('an update that was cut off waits for its repository, or for a word of the owner', async () => {
  const { files } = testBox.box.backup;
  const { snapshot } = await makeBackup(testBox.box, 'a', 'update');
  const cutOff = { app: 'a', operation: 'update', way: 'back' as const, snapshot: snapshot.id };
  await files.writeJournal(cutOff);
  write('new');
  for (const fault of ['away', 'locked', 'no-repository', 'no-room'] as const) {
    testBox.repository.failing.set('snapshots', new ResticFailed('no answer', fault));
    await assert.rejects(
      finishBackup(testBox.box),
      /put back first: no answer; .* delete \S+change-waiting-a\.json\.back$/,
    );
    assert.deepEqual([rows()[0], files.journal()], ['new', cutOff]);
  }
  // What people write into the new version meanwhile would be lost.
  testBox.repository.failing.set('snapshots', new ResticFailed('no answer', 'away'));
  await finishWaiting(testBox.box, 'a');
  await reconcile(testBox.box, null);
  assert.deepEqual(states(), ['a-web-1 exited', 'b-web-1 running']);
  await finishWaiting(testBox.box, null);
  assert.deepEqual([rows(), leftovers()], [['one', 'one', 'A=1\n'], []]);
  assert.deepEqual(states(), ['a-web-1 running', 'b-web-1 running']);
});

const withoutCopy: Record<string, () => void> = {
  'restic is not installed': () => {
    testBox.repository.isInstalled = false;
  },
  'the owner has switched it off': () => {
    testBox.box.backup.beforeUpdate = false;
  },
  'the container tool knows no volumes': () => {
    testBox.volumes.of = async () => {
      throw new ContainersFailed('unknown command: volume', false);
    };
  },
};
for (const [title, prepare] of Object.entries(withoutCopy)) {
  test(`an update makes no copy if ${title}`, async () => {
    prepare();
    testBox.containers.registry.set('registry/web:1', 'sha256:new');
    assert.equal((await updateApp(testBox.box, 'a')).services.length, 1);
    assert.deepEqual(testBox.repository.plans, []);
    assert.ok(!testBox.containers.calls.includes('stop a-web-1'));
  });
}

const failing: Record<string, [() => void, RegExp]> = {
  'the repository is away': [
    () => testBox.repository.failing.set('prepare', new ResticFailed('away', 'away')),
    /a was not updated, because there is no backup of its data: away$/,
  ],
  'there is no room for the copy': [
    () => testBox.repository.failing.set('backUp', new ResticFailed('no room', 'no-room')),
    /no room/,
  ],
  'there is no room to put it back': [
    () => {
      testBox.box.backup.files.lacking = async () => [{ path: data, bytes: 5_000_000 }];
    },
    /5\.0 MB more room is needed on the disk of/,
  ],
  'a file cannot be read': [
    () => {
      testBox.repository.unread = ['/x'];
    },
    /these files cannot be read: \/x/,
  ],
};
for (const [title, [prepare, message]] of Object.entries(failing)) {
  test(`an update is refused and touches nothing if ${title}`, async () => {
    newVersionFalls();
    prepare();
    const before = testBox.containers.containers.map(({ id }) => id);
    await assert.rejects(updateApp(testBox.box, 'a'), message);
    assert.deepEqual(
      testBox.containers.containers.map(({ id }) => id),
      before,
    );
    assert.deepEqual(states(), ['a-web-1 running', 'b-web-1 running']);
    assert.deepEqual(rows(), ['one', 'one', 'A=1\n']);
    assert.deepEqual(leftovers(), []);
  });
}

test('an update goes on without a backup if the request says so', async () => {
  testBox.repository.failing.set('prepare', new ResticFailed('away', 'away'));
  testBox.containers.registry.set('registry/web:1', 'sha256:new');
  const { updateApp: handle } = makeHandlers(testBox.box);
  await assert.rejects(handle({ name: 'a' }), /no backup of its data: away/);
  const { body } = await handle({ name: 'a', without_backup: true } as { name: string });
  assert.equal(body.updated, true);
  assert.ok(!testBox.containers.calls.includes('stop a-web-1'));
});

test('a removal makes a last backup, and goes on without one', async () => {
  await removeApp(testBox.box, 'a');
  assert.deepEqual(await list(), ['a 1.0.0 remove']);
  testBox.repository.failing.set('prepare', new ResticFailed('away', 'away'));
  assert.equal(await removeApp(testBox.box, 'b'), 'removed without a backup: away');
  assert.deepEqual(states(), []);
  assert.deepEqual(leftovers(), []);
});

test('measures the room of each disk', async () => {
  mkdirSync(join(testBox.root, 'x'));
  for (const paths of [[], [data, join(testBox.root, 'x')]]) {
    assert.deepEqual(await testBox.box.backup.files.lacking(paths), []);
  }
  assert.ok(existsSync(data));
  const nowhere = join(testBox.root, 'none', 'x');
  await assert.rejects(testBox.box.backup.files.lacking([data, nowhere]), /^StorageFailed: data could not be put back/);
});

test('a removal takes the app down although Docker does not describe its volumes', async () => {
  testBox.containers.containers[0]?.mounts.push({
    type: 'volume',
    source: data,
    name: 'a_data',
    target: '/x',
    isWritable: true,
  });
  testBox.repository.isInstalled = false;
  testBox.volumes.of = async () => Promise.reject(new ContainersFailed('the plugin does not answer', false));
  await removeApp(testBox.box, 'a');
  assert.deepEqual(states(), ['b-web-1 running']);
  assert.match(testBox.warnings.join(), /the plugin does not answer; from the trash a comes back without/);
});
