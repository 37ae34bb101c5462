import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { type Box, startBox } from '../support/box.ts';
import { onMachine } from '../support/on-machine.ts';
import { container, docker, identity, volumes } from '../support/programs/docker.ts';
import { registry } from '../support/programs/registry.ts';
import { command, mountpoint } from '../support/saved-app.ts';

const image = `${registry}/db:1`;

/** An image that keeps its data in a volume without a name, as those of databases do. */
before(() => {
  const id = docker('create', `${registry}/web:1`);
  docker('commit', '--change', 'VOLUME ["/data"]', id, image);
  docker('rm', id);
  docker('push', '-q', image);
});

/** The Compose file of an app whose version 2 writes and then ends. */
const compose = (version: number, more = '') => `
services:
  web:
    image: "${image}"
    command: ["sh", "-c", "echo ${version} >> /data/table; [ ${version} = 1 ] || exit 4; exec httpd -f -p 8080 -h /www"]
    stop_grace_period: 1s
${more}`;

async function install(t: TestContext, name: string, more = ''): Promise<Box> {
  const box = await startBox(t, { [name]: { manifest: { version: '1.0.0' }, compose: compose(1, more) } });
  const answer = await box.install(name);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return box;
}

const inside = (name: string, text: string) => docker('exec', container(name, 'web').id, 'sh', '-c', text);
const table = (name: string) => inside(name, 'cat /data/table').split('\n');

/** Offers a version that writes and then ends, and updates to it. Returns what the answer says. */
async function failingUpdate(box: Box, name: string, more = ''): Promise<string> {
  box.bundle(name, { manifest: { version: '2.0.0' }, compose: compose(2, more) });
  const answer = await box.update(name);
  assert.equal(answer.status, 502, JSON.stringify(answer.body));
  return JSON.stringify(answer.body);
}

test('a volume without a name comes back from the trash, from a backup and after a failed update', async (t) => {
  const name = 'real-unnamed';
  const box = await install(t, name, '    volumes: ["pg:/data/sub"]\nvolumes: { pg: {} }\n');
  inside(name, 'echo owner >> /data/table');
  await box.remove(name);
  assert.equal(box.command('trash', 'restore', name).status, 0);
  assert.deepEqual(table(name), ['1', 'owner', '1']);
  docker('compose', '--project-directory', join(box.installed, name), 'up', '-d', '--force-recreate');
  assert.deepEqual(table(name).slice(0, 2), ['1', 'owner'], 'Compose itself gives the volume to the next container');

  const made = command(box, 'make', name);
  assert.doesNotMatch(made, /not copied/);
  const [id = ''] = command(box, 'list', name).split('\t');
  inside(name, 'echo spoiled > /data/table');
  command(box, 'restore', name, id);
  assert.deepEqual(table(name).slice(0, 2), ['1', 'owner']);

  assert.match(await failingUpdate(box, name), /runs version 1\.0\.0 again and its data of before/);
  assert.deepEqual([table(name)[1], table(name).includes('2')], ['owner', false]);
  assert.ok(!existsSync(join(box.installed, name, '.boxgate-volumes.json')));

  // A note of kept volumes is in the backup, such as that of an app that could not be started. One service is gone since.
  const [volume] = JSON.parse(docker('inspect', '--format', '{{json .Mounts}}', container(name, 'web').id)).filter(
    ({ Destination }: { Destination: string }) => Destination === '/data',
  );
  const kept = { volumes: [{ type: 'volume', source: 'k', target: '/data' }] };
  const note = { services: { web: kept, gone: kept } };
  const file = join(box.installed, name, '.boxgate-volumes.json');
  writeFileSync(file, JSON.stringify({ ...note, volumes: { k: { name: volume.Name } } }));
  command(box, 'make', name);
  docker('rm', '-f', container(name, 'web').id);
  assert.equal(box.command('restart', name).status, 0);
  assert.ok(!existsSync(file));
  const before = table(name);
  assert.deepEqual(before.slice(0, 2), ['1', 'owner']);
  assert.match(command(box, 'rehearse', name), /stays up$/m);
  assert.deepEqual(table(name), before, 'the rehearsal writes into a copy');
  command(box, 'restore', name, id, '--as', `${name}-2`);
  assert.deepEqual(table(`${name}-2`).slice(0, 2), ['1', 'owner']);
  await box.remove(`${name}-2`);

  // Another machine.
  await box.remove(name);
  for (const volume of docker('volume', 'ls', '-q').split('\n')) docker('volume', 'rm', '-f', volume);
  command(box, 'restore', name, id);
  assert.deepEqual(table(name).slice(0, 2), ['1', 'owner']);
});

test('what lies behind a link is named, and no sentence promises it', async (t) => {
  const name = 'real-link';
  const more = '    volumes: ["./data:/data"]\n';
  const box = await install(t, name, more);
  const far = join(box.folder, 'disk');
  docker('stop', container(name, 'web').id);
  renameSync(join(box.installed, name, 'data'), far);
  symlinkSync(far, join(box.installed, name, 'data'));
  docker('start', container(name, 'web').id);

  assert.match(command(box, 'make', name), new RegExp(`not copied: ${far} \\(.*/data is a link to it\\)`));
  const said = await failingUpdate(box, name, more);
  assert.doesNotMatch(said, /data of before/);
  assert.match(said, new RegExp(`stays as the newer version left it: ${far} `));
  assert.equal(readFileSync(join(far, 'table'), 'utf8').includes('2'), true);
  assert.match(command(box, 'rehearse', name), new RegExp(`without what is not copied: ${far} `));
  assert.equal(readFileSync(join(far, 'table'), 'utf8').split('2').length, 2, 'a rehearsal writes nothing there');
  const beside = box.command('backup', 'restore', name, '--as', `${name}-2`);
  assert.match(beside.stderr + beside.stdout, new RegExp(`writes to ${far}, which both would share`));
});

test('a disk at a volume, and one in the app, stay mounted and hold up nobody', async (t) => {
  const name = 'real-volume-disk';
  const more = '    volumes: ["photos:/photos", "./own:/own"]\nvolumes: { photos: {} }\n';
  const box = await install(t, name, more);
  box.bundle('other', { compose: `services: { web: { image: "${registry}/web:1", stop_grace_period: 1s } }` });
  const disk = mountpoint(`${name}_photos`);
  const photos = () => inside(name, 'cat /photos/one');
  const isMounted = (path: string) => readFileSync('/proc/self/mountinfo', 'utf8').includes(` ${path} `);

  await withDisk(box, name, disk, async () => {
    inside(name, 'echo good > /photos/one');
    assert.doesNotMatch(command(box, 'make', name), /not copied/);
    inside(name, 'echo spoiled > /photos/one; echo x > /photos/two');
    command(box, 'restore', name);
    assert.deepEqual([photos(), inside(name, 'ls -A /photos'), isMounted(disk)], ['good', 'one', true]);
    assert.match(await failingUpdate(box, name, more), /its data of before/);
    assert.deepEqual([photos(), isMounted(disk)], ['good', true]);
  });

  const own = join(box.installed, name, 'own');
  await withDisk(box, name, own, async () => {
    const refused = box.command('backup', 'restore', name);
    assert.match(refused.stderr + refused.stdout, /cannot be replaced, because a disk is mounted at .*own; unmount it/);
    const before = identity(name);
    const answer = await box.remove(name);
    assert.match(JSON.stringify([answer.status, answer.body]), /^\[500,.*a disk is mounted at .*own; unmount it first/);
    assert.deepEqual(identity(name), before);
    assert.match(await failingUpdate(box, name, more), /stays as the newer version left it: .* \(a disk is mounted at/);
    assert.deepEqual([(await box.install('other')).status, isMounted(own)], [200, true]);
  });
  assert.equal((await box.remove(name)).status, 200);
});

test('an app whose folder is a disk of its own is updated', async (t) => {
  const name = 'real-own-disk';
  const box = await install(t, name);
  await withDisk(box, name, join(box.installed, name), async () => {
    box.bundle(name, { manifest: { version: '1.1.0' }, compose: compose(1) });
    const answer = await box.update(name);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.match(box.read(name, 'manifest.json'), /1\.1\.0/);
  });
});

/** Mounts a disk with the content of a folder there, while the app is stopped. */
async function withDisk(box: Box, name: string, folder: string, work: () => Promise<void>): Promise<void> {
  const disk = mkdtempSync(join(box.folder, 'disk-'));
  const id = container(name, 'web').id;
  docker('stop', id);
  execFileSync('cp', ['-a', `${folder}/.`, disk]);
  onMachine('mount', '--bind', disk, folder);
  docker('start', id);
  try {
    await work();
  } finally {
    docker('stop', container(name, 'web').id);
    onMachine('umount', folder);
    docker('start', container(name, 'web').id);
  }
}

test('a restore touches no project of another folder, and keeps what is left in a volume', async (t) => {
  const name = 'real-foreign';
  const more = '    volumes: ["files:/data"]\nvolumes: { files: {} }\n';
  const box = await install(t, name, more);
  command(box, 'make', name);
  const [id = ''] = command(box, 'list', name).split('\t');
  await box.remove(name);
  const foreign = join(box.folder, 'elsewhere', name);
  mkdirSync(foreign, { recursive: true });
  writeFileSync(join(foreign, 'compose.yaml'), compose(1, more));
  docker('compose', '--project-directory', foreign, 'up', '-d');
  inside(name, 'echo precious > /data/precious');
  const own = container(name, 'web').id;
  for (const words of [
    ['restore', name, id],
    ['restore', '--all'],
  ]) {
    const { stdout, stderr } = box.command('backup', ...words);
    if (words[1] !== '--all') assert.match(stdout + stderr, new RegExp(`the project ${name} is that of ${foreign}`));
    assert.equal(container(name, 'web').id, own);
    assert.equal(inside(name, 'cat /data/precious'), 'precious');
  }

  // Only the volume is left of it: its content is kept in a backup.
  docker('compose', '--project-directory', foreign, 'down');
  const restored = command(box, 'restore', name, id);
  assert.equal(inside(name, 'ls /data/precious 2>/dev/null || true'), '');
  const [, kept = ''] = /its data in the backup (\w{8})/.exec(restored) ?? [];
  command(box, 'restore', name, kept);
  assert.equal(inside(name, 'cat /data/precious'), 'precious');
  assert.deepEqual(volumes(name), [`${name}_files`]);
});
