import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { actByCommand } from '../../../console/rooms.ts';
import { makeChangeHistory } from '../../adapters/files/change-history.ts';
import { ContainersFailed } from '../../core.ts';
import { makeFolderSizes } from '../../logs/adapters/folder-sizes.ts';
import { measureApp } from '../../logs/measure.ts';
import { useRoom } from '../../logs/room.ts';
import { useTestBox } from '../../testing/test-box.ts';
import { installApp } from '../install.ts';
import { restartApp } from '../restart-app.ts';
import { updateAppSettings } from '../settings.ts';
import { appRoom } from './app-room.ts';
import { undoRoom } from './undo-room.ts';

const testBox = useTestBox();
const fields = { app: 'notes' };
const start = (name = 'notes') => updateAppSettings(testBox.box, { name, settings: {} });

test('restarts an app in its turn, shows the operation, and watches that it stays up', async () => {
  testBox.installed('notes');
  await start();
  testBox.containers.calls = [];
  const restarting = restartApp(testBox.box, 'notes');
  assert.equal(testBox.box.operations.all().get('notes')?.kind, 'restart');
  const { ok, text } = await restarting;
  assert.deepEqual([ok, text.split('\n')[0]], [true, 'notes was restarted and runs']);
  assert.deepEqual(
    testBox.containers.calls.filter((call) => !call.startsWith('observe')),
    ['stop notes-web-1', 'start notes-web-1'],
  );
  assert.equal(testBox.containers.containers[0]?.state, 'running');
  await assert.rejects(async () => restartApp(testBox.box, 'other'), { refusal: 'appNotInstalled' });
});

test('a restart tells neither that it has stopped the app, nor what other apps lack', async () => {
  for (const name of ['films', 'notes']) testBox.installed(name);
  await start();
  const film = testBox.containers.containers.find(({ project }) => project === 'films');
  Object.assign(film ?? {}, { state: 'exited', exitCode: 3, finishedAt: testBox.clock.now.getTime() });
  assert.deepEqual(await restartApp(testBox.box, 'notes'), { ok: true, text: 'notes was restarted and runs' });
  for (const verb of ['start', 'up'] as const) testBox.containers.fail(verb, 'port is already allocated');
  const { ok, text } = await restartApp(testBox.box, 'notes');
  assert.equal(ok, false);
  assert.match(text, /^notes was restarted, but it does not run: port is already allocated$/);
});

test('keeps what Docker says of a restart that fails, and of later changes, for the room', async () => {
  testBox.installed('notes', { '.env': 'TITLE=a\n', '.env.bak': 'TITLE=b\n' });
  await start();
  assert.equal((await actByCommand(testBox.box, { act: 'apps/undo', fields })).status, 0);
  testBox.containers.failing.set('stop', new ContainersFailed('docker stop failed', false));
  assert.equal((await actByCommand(testBox.box, { act: 'apps/restart', fields })).status, 1);
  const { sections } = await appRoom(testBox.box, async () => ({ rows: [] })).read('notes');
  const changes = sections.find(({ title }) => title === 'Latest changes')?.rows ?? [];
  assert.deepEqual(
    changes.map(({ text }) => text),
    ['restart: failed', 'undo settings: ok'],
  );
  assert.match(changes[0]?.facts?.join(' ') ?? '', /by a command\. .*docker stop failed/);
});

test('the history has the last ten changes of each app, also after a cut line, and stays small', () => {
  const history = makeChangeHistory(testBox.directories.state, () => new Date(0));
  const entry = { operation: 'update', by: '', outcome: 'ok', detail: '', durationMs: 1.4 } as const;
  assert.deepEqual(history.of('notes'), []);
  for (let count = 0; count < 12; count += 1) history.add({ ...entry, subject: 'notes', detail: `${count}` });
  history.add({ ...entry, subject: '../notes' });
  history.add({ ...entry, subject: 'notes', outcome: 'refused' });
  appendFileSync(join(testBox.directories.state, 'changes.jsonl'), '\n{"app":"notes","at":"20');
  history.add({ ...entry, subject: 'notes', detail: 'x'.repeat(1000) });
  const details = history.of('notes').map(({ detail }) => detail);
  assert.deepEqual(details.slice(1), ['11', '10', '9', '8', '7', '6', '5', '4', '3']);
  assert.equal(details[0]?.length, 300);
});

test('a large history is shortened', async () => {
  const file = join(testBox.directories.state, 'changes.jsonl');
  const line = {
    app: 'old',
    at: '',
    operation: 'update',
    by: '',
    outcome: 'ok',
    detail: 'x'.repeat(300),
    durationMs: 1,
  };
  writeFileSync(file, `\n${JSON.stringify(line)}`.repeat(2000));
  const history = makeChangeHistory(testBox.directories.state, () => new Date(0));
  history.add({ ...line, outcome: 'ok', subject: 'notes' });
  while (statSync(file).size > 10_000) await new Promise(setImmediate);
  assert.deepEqual([history.of('old').length, history.of('notes').length], [10, 1]);
});

test('says before an undo what it changes, without secrets', async () => {
  testBox.installed('notes', {
    '.env': 'TITLE=a\nPASSWORD=new4new4\nURL=http://u:new4new4@db\nADDED=1\nSAME=1\n',
    '.env.bak': 'TITLE=b\nPASSWORD=old4old4\nURL=http://u:old4old4@db\nGONE=1\nSAME=1\n',
  });
  const room = undoRoom(testBox.box);
  assert.deepEqual((await room.read('notes')).sections[0]?.rows, [
    { text: 'ADDED', value: '1 → not set' },
    { text: 'GONE', value: 'not set → 1' },
    { text: 'PASSWORD', value: '••• → •••' },
    { text: 'TITLE', value: 'a → b' },
    { text: 'URL', value: 'http://u:•••@db → http://u:•••@db' },
  ]);
  testBox.installed('bare');
  assert.deepEqual((await room.read('bare')).sections, []);
});

test('lists the files that a reinstall replaced, and shows what differs', async () => {
  testBox.bundle('notes', { 'conf/site.conf': 'a\nb\n', 'gone.txt': '1\n' });
  await installApp(testBox.box, { name: 'notes', settings: {} });
  const path = (file: string) => join(testBox.directories.installed, 'notes', file);
  writeFileSync(path('.env'), 'PASSWORD=hunter2hunter2\n');
  writeFileSync(path('conf/site.conf'), 'a\nmine \x1b[2J hunter2hunter2\n');
  testBox.bundle('notes', { 'conf/site.conf': 'a\nc\n' });
  await installApp(testBox.box, { name: 'notes', settings: {} });
  writeFileSync(path('gone.kept'), '1\n');
  symlinkSync('/etc/passwd', path('link.kept'));
  const keptFiles = async () => {
    const { sections } = await appRoom(testBox.box, async () => ({ rows: [] })).read('notes');
    return sections.find(({ title }) => title === 'Kept files')?.rows ?? [];
  };
  const [site, gone, ...others] = await keptFiles();
  assert.deepEqual(
    [site?.text, gone?.text, others],
    ['conf/site.conf.kept: yours; conf/site.conf is the new one', 'gone.kept: yours; gone is the new one', []],
  );
  assert.match(
    site?.folded ?? '',
    /^--- conf\/site.conf.kept\n\+\+\+ conf\/site.conf\n.*\n a\n-mine \\u\{1b\}\[2J •••\n\+c\n$/,
  );
  assert.match(gone?.folded ?? '', /\n-1\n$/);
  writeFileSync(path('gone.kept'), 'binary \0');
  assert.match((await keptFiles())[1]?.folded ?? '', /^The files are no text/);
});

test('measures what an app uses and the space of its data; what is unknown is said', async () => {
  const directory = testBox.installed('notes', { 'data/file': 'x'.repeat(10_000) });
  await start();
  const id = testBox.containers.containers[0]?.id ?? '';
  const volume = testBox.volumes.add('notes', 'db');
  writeFileSync(join(volume, 'file'), 'x'.repeat(50_000));
  testBox.containers.containers[0]?.mounts.push(
    { type: 'volume', name: 'notes_db', source: volume, target: '/db', isWritable: true },
    { type: 'bind', name: '', source: `${directory}/data`, target: '/data', isWritable: true },
    { type: 'bind', name: '', source: '/absent', target: '/absent', isWritable: true },
  );
  const usage = async () => new Map([[id, { processorPercent: 1.5, memoryBytes: 1000 }]]);
  const box = { ...testBox.box, logs: { ...testBox.box.logs, usage } };
  const measures = await measureApp(box, 'notes');
  assert.deepEqual(measures.usage, [{ container: 'notes-web-1', processorPercent: 1.5, memoryBytes: 1000 }]);
  const [own, none, db] = measures.data;
  assert.deepEqual([own?.path, none?.path, db?.path], [directory, '/absent', volume]);
  assert.ok(Number(own?.bytes) >= 10_000 && Number(db?.bytes) >= 50_000 && own?.isWhole);
  assert.deepEqual([none?.bytes, none?.isWhole], [0, false]);
  testBox.installed('films');
  const { sections } = await useRoom(box).read('');
  const [films, notes] = sections[0]?.rows ?? [];
  assert.deepEqual([films?.text, films?.facts?.length], ['films', 1]);
  assert.deepEqual([notes?.text, notes?.facts?.[0]], ['notes', '1.0 kB of memory, 2 % of one processor']);
  assert.match(notes?.facts?.[1] ?? '', /^\d\d kB of data$/);
  const failing = async () => Promise.reject(new ContainersFailed('docker stats failed', false));
  const without = await measureApp({ ...box, logs: { ...box.logs, usage: failing } }, 'notes');
  assert.deepEqual([without.usage, without.problems], [[], ['docker stats failed']]);
  const short = makeFolderSizes(-1);
  assert.deepEqual(await short([directory]), new Map([[directory, { bytes: 0, isWhole: false }]]));
  mkdirSync(join(testBox.root, 'empty'));
  assert.equal(
    (await makeFolderSizes()([join(testBox.root, 'empty')])).get(join(testBox.root, 'empty'))?.isWhole,
    true,
  );
});
