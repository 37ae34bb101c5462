import { deepEqual, equal, rejects } from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ResticFailed } from '../../restic/ports.ts';
import { updateApp } from '../apps/update-app.ts';
import { finishWaiting } from '../change/finish.ts';
import { ContainersFailed, StorageFailed } from '../core.ts';
import { reconcile } from '../engine/reconcile.ts';
import { useTestBox } from '../testing/test-box.ts';
import { withKeptVolumes } from './kept-volumes.ts';
import { makeBackup } from './make-backup.ts';
import { restoreFromBackup } from './restore-app.ts';
import { keptVolumesFile, keptVolumesText } from './rules/kept-volumes.ts';

const t = useTestBox();
const at = [{ service: 'web', target: '/data' }];
const mount = { type: 'volume', name: 'f00', source: '', target: '/data', isWritable: true };

/** An app whose container has a volume without a name. Returns the folder of its data. */
async function start(): Promise<string> {
  t.installed('a');
  t.installed('b');
  const data = t.volumes.add('a', 'f00', { name: 'f00', labels: { 'com.docker.volume.anonymous': '' } });
  writeFileSync(join(data, 'rows'), 'one');
  t.containers.mounts.set('a-web-1', [mount]);
  t.repository.isInstalled = true;
  await reconcile(t.box, null);
  return data;
}
const own = () => join(t.directories.installed, 'a');
const note = () => join(own(), keptVolumesFile);
const web = (app: string) => t.containers.containers.find(({ project }) => project === app) ?? ({} as never);

/** The image of the next update ends after its start. */
function newVersionFalls(data: string): void {
  t.containers.registry.set('registry/web:1', 'sha256:new');
  t.containers.fate.set('sha256:new', { state: 'exited', exitCode: 3 });
  const up = t.containers.up.bind(t.containers);
  t.containers.up = async (...args) => {
    await up(...args);
    if (t.containers.containers.some(({ imageId }) => imageId === 'sha256:new'))
      writeFileSync(join(data, 'rows'), 'two');
  };
}

test('an app whose noted services are gone comes up, and a version that fails keeps the note', async () => {
  await start();
  const text = keptVolumesText([
    { name: 'f00', at },
    { name: 'f01', at: [{ service: 'gone', target: '/data' }] },
  ]);
  writeFileSync(note(), text);
  const given: string[] = [];
  let failure: Error | null = new ContainersFailed('the port is in use', false);
  const up = async ({ files }: { files: readonly string[] }) => {
    given.push(readFileSync(files.at(-1) ?? '', 'utf8'));
    if (failure !== null) throw failure;
  };
  const config = t.containers.config.bind(t.containers);
  const containers = withKeptVolumes({ ...t.box.containers, up, config }, t.box.backup.files);
  const project = { directory: own(), files: [`${own()}/compose.yaml`], envFile: null, project: 'a' };
  await rejects(containers.up(project), /the port is in use/);
  equal(readFileSync(note(), 'utf8'), text);
  failure = null;
  await containers.up(project);
  deepEqual(given, Array(2).fill(keptVolumesText([{ name: 'f00', at }])));
  equal(existsSync(note()), false);
});

test('a noted volume that Docker has pruned keeps no app from its backup', async () => {
  await start();
  t.containers.containers = t.containers.containers.filter(({ project }) => project !== 'a');
  writeFileSync(note(), keptVolumesText(['f00', 'f01'].map((name) => ({ name, at }))));
  const { facts } = await makeBackup(t.box, 'a', 'manual');
  deepEqual(
    facts.volumes.map(({ name }) => name),
    ['f00'],
  );
});

test('a stopped container of another project lets a roll-back exchange the volume, and a restore names it', async () => {
  const data = await start();
  Object.assign(web('b'), { state: 'exited', mounts: [mount] });
  newVersionFalls(data);
  await rejects(updateApp(t.box, 'a'), /its data of before$/);
  equal(readFileSync(join(data, 'rows'), 'utf8'), 'one');
  await rejects(
    restoreFromBackup(t.box, 'a', '00000002'),
    /f00 is also used by .*; remove it first: docker rm b-web-1$/,
  );
});

test('an app that is held back gets the volumes of its services, not of one-off containers', async () => {
  const data = await start();
  newVersionFalls(data);
  const once = { oneOff: true, id: 'once', name: 'a-web-run-1', mounts: [{ ...mount, target: '/once' }] };
  t.containers.containers.push({ ...web('a'), ...once });
  t.repository.failing.set('restore', new ResticFailed('disk fault', 'failed'));
  await rejects(updateApp(t.box, 'a'), /could not be put back/);
  equal(readFileSync(note(), 'utf8'), keptVolumesText([{ name: 'f00', at }]));
});

test('the data of an app whose update was killed before its start is put back after the next update fails', async () => {
  const data = await start();
  web('a').state = 'created';
  newVersionFalls(data);
  await rejects(updateApp(t.box, 'a'), /its data of before$/);
  deepEqual([readFileSync(join(data, 'rows'), 'utf8'), t.box.backup.files.journal()], ['one', null]);
});

test('containers that a power cut lets start again are removed before the data is exchanged', async () => {
  const data = await start();
  await makeBackup(t.box, 'a', 'manual');
  const ran = t.containers.containers;
  const { swap } = t.box.backup.files;
  t.box.backup.files.swap = async () => Promise.reject(new StorageFailed('its disk is away'));
  await rejects(restoreFromBackup(t.box, 'a', ''), /its disk is away/);
  t.containers.containers = ran;
  let present: string[] = [];
  t.box.backup.files.swap = async (folders) => {
    present = t.containers.containers.map(({ project }) => project);
    await swap(folders);
  };
  equal(await finishWaiting(t.box, 'a'), null);
  deepEqual([present, readFileSync(join(data, 'rows'), 'utf8')], [['b'], 'one']);
});

test('a restore that cannot save the present data leaves no folder', async () => {
  await start();
  await makeBackup(t.box, 'a', 'manual');
  t.repository.failing.set('backUp', new ResticFailed('full', 'no-room'));
  await rejects(restoreFromBackup(t.box, 'a', ''), /full/);
  const left = t.tree().filter((path) => /boxgate-restore|restore-|journal/.test(path) && !path.startsWith('repo'));
  deepEqual([left, web('a').state], [[], 'running']);
});
