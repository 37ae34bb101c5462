import { deepEqual, equal, fail, match, rejects } from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { actionOf, makeRooms, roomAt } from '../../../console/rooms.ts';
import { ResticFailed } from '../../../restic/ports.ts';
import { useTestBox } from '../../testing/test-box.ts';
import { makePlaceFile } from '../adapters/place-file.ts';
import { adoptAt } from './choose-place.ts';

const t = useTestBox();
const hostKey = `ssh-ed25519 ${'B'.repeat(68)}`;

/** The console's rooms with a disk, and servers whose addresses are known. */
async function open(addresses: Record<string, string[]> = {}) {
  const { backup } = t.box;
  t.repository.isInstalled = true;
  backup.place.at = () => t.repository;
  backup.placeTools = {
    disks: async () => [{ mount: '/mnt/usb', free: 5e9, size: 9e9 }],
    addresses: async (host) => addresses[host] ?? [],
    sshKey: async () => 'ssh-ed25519 OWN boxgate@box',
    hostKey: async () => ({ hostKey, fingerprint: 'SHA256:abc' }),
  };
  const rooms = await makeRooms(t.box);
  const act = async (name: string, given: Record<string, string>) => {
    const { action, fields } = actionOf(rooms, { act: `place/${name}`, fields: given });
    return action.run(fields);
  };
  const shown = async () => JSON.stringify(await roomAt(rooms, 'place').room.read(''));
  return { act, shown };
}

const file = () => join(t.directories.state, 'backup-place.json');

test('a disk that is found is taken, and the secrets of a server stay in a file of root', async () => {
  const { act, shown } = await open({ 'nas.org': ['192.168.1.20'] });
  match(await shown(), /\/mnt\/usb.*5\.0 GB of 9\.0 GB are free/);
  match((await act('disk', { disk_mount: '/mnt/usb' })).text, /^Backups go to .* It is empty so far\.$/);
  deepEqual(t.box.backup.place.chosen(), { kind: 'disk', mount: '/mnt/usb', folder: 'boxgate-backups' });
  equal(t.box.backup.place.folder(), '/mnt/usb/boxgate-backups');
  match(await shown(), /Backups go there/);

  const rest = { rest_server: 'nas.org', rest_user: 'box', rest_password: 'geheim' };
  match((await act('rest', rest)).text, /0 backups are there already/);
  match(readFileSync(file(), 'utf8'), /geheim/);
  equal(statSync(file()).mode & 0o777, 0o600);
  equal((await shown()).includes('geheim'), false);
  await act('rest', { ...rest, rest_password: '', rest_path: 'new' });
  match(readFileSync(file(), 'utf8'), /"path":"new".*geheim/);
  await rejects(act('rest', { ...rest, rest_server: 'evil.org' }), /no address is known for the server evil\.org/);
  await act('own', {});
  equal(t.box.backup.place.chosen(), null);
});

test('a server with SSH is taken once its owner has seen its key', async () => {
  const { act, shown } = await open({ nas: ['fd00::7'] });
  const typed = { sftp_host: 'nas', sftp_user: 'box', sftp_path: '/backups' };
  match((await act('server', typed)).text, /^nas has answered/);
  const text = await shown();
  for (const said of ['ssh-ed25519 OWN boxgate@box', 'SHA256:abc', '"sftp_port":"22"', hostKey]) {
    equal(text.includes(said), true, said);
  }
  await act('sftp', { ...typed, sftp_hostKey: hostKey });
  deepEqual(t.box.backup.place.chosen(), {
    ...{ kind: 'sftp', host: 'nas', port: '22', user: 'box' },
    ...{ path: '/backups', hostKey },
  });
  equal((await shown()).includes('SHA256:abc'), false);
});

test('a place that is not found, is this box or tells secrets is refused, and nothing changes', async () => {
  const { act } = await open({ own: ['192.168.1.2', '127.0.0.1'], cloud: ['169.254.169.254'], nas: ['10.0.0.1'] });
  const s3 = { s3_bucket: 'bucket', s3_accessKey: 'A', s3_secret: 'B' };
  const sftp = { sftp_user: 'box', sftp_path: 'a' };
  // biome-ignore format: a table
  const refused = [
    ['disk', { disk_mount: '/etc' }, /^Refusal: no disk for backups is mounted at \/etc: connect it/],
    ['disk', { disk_mount: '/mnt/usb/../..' }, /^Refusal: no disk for backups/],
    ['server', { ...sftp, sftp_host: 'own' }, /^Refusal: backups cannot go to own \(127\.0\.0\.1\): it is an address of this box/],
    ['sftp', { ...sftp, sftp_host: '-oProxyCommand=x', sftp_hostKey: hostKey }, /^Refusal: the server: expected/],
    ['s3', { ...s3, s3_server: 'https://cloud' }, /^Refusal: backups cannot go to cloud \(169\.254\.169\.254\): no backup server/],
    ['s3', { ...s3, s3_server: 'http://nas' }, /^Refusal: the server: expected .* one with http:\/\/ only in the home network/],
    ['rest', { rest_server: 'https://unknown' }, /^Refusal: no address is known/],
  ] as const;
  for (const [act1, fields, reason] of refused) await rejects(act(act1, fields), reason, JSON.stringify(fields));
  deepEqual(t.repository.calls, []);
  t.repository.failing.set('prepare', new ResticFailed('wrong', 'wrong-key'));
  await rejects(act('disk', { disk_mount: '/mnt/usb' }), /^Refusal: there are backups with another key/);
  t.repository.failing.set('prepare', new ResticFailed('the place does not answer', 'away'));
  await rejects(act('disk', { disk_mount: '/mnt/usb' }), /^Refusal: the place does not answer$/);
  equal(t.box.backup.place.chosen(), null);
});

test('a place with the backups of a lost box is taken with their key', async () => {
  const { act } = await open();
  const fields = { disk_mount: '/mnt/usb', disk_folder: 'box', disk_setsAside: 'yes' };
  await rejects(
    act('disk', { ...fields, disk_key: 'two\nlines' }),
    /^Refusal: expected the key of the backups: one line/,
  );
  t.repository.failing.set('adopt', new ResticFailed('another key', 'wrong-key'));
  await rejects(act('disk', { ...fields, disk_key: 'wrong' }), /^Refusal: another key$/);
  equal(t.box.backup.place.chosen(), null);
  match((await act('disk', { ...fields, disk_key: ' right ' })).text, /\nWhat is there can be chosen under Backups/);
  deepEqual(t.repository.calls, ['adopt wrong, setting aside', 'adopt right, setting aside', 'snapshots']);
  deepEqual(t.box.backup.place.chosen(), { kind: 'disk', mount: '/mnt/usb', folder: 'box' });
  equal(t.box.backup.runs.load().isKeyKept, true);
});

test('a disk that is not mounted, a link in the place of its folder and a damaged file are no place', async () => {
  const disk = join(t.root, 'usb');
  const place = { kind: 'disk', mount: disk, folder: 'boxgate-backups' } as const;
  const { at } = t.box.backup.place;
  await rejects(at(place).snapshots(), new RegExp(`no disk is mounted at ${disk}: connect`));
  mkdirSync(disk);
  symlinkSync('/etc', join(disk, 'boxgate-backups'));
  t.mount(disk);
  await rejects(at(place).snapshots(), /usb\/boxgate-backups is no folder: remove it/);

  writeFileSync(file(), '{"place":{"kind":"disk"}}');
  const fixed = { fixedAddress: null, fixedKeep: null };
  const parts = { ...fixed, disks: t.box.disks, named: fail, repositoryAt: () => t.repository };
  const damaged = makePlaceFile(t.directories.state, parts);
  await rejects(damaged.present().ready(), /backup-place\.json is damaged: choose the place of the backups anew/);
});

test('what the settings file names comes first', async () => {
  const { act, shown } = await open();
  t.box.backup.place.isFixed = true;
  match(await shown(), /The place is set in `\/etc\/boxgate\/box\.env`/);
  await rejects(act('disk', { disk_mount: '/mnt/usb' }), /The place is set in/);
});

test('the place of adopted backups is any address of restic, unless the settings file names another one', async () => {
  await open();
  match((await adoptAt(t.box, 'b2:bucket:box', 'right'))[0] ?? '', /are those of this box now$/);
  deepEqual(t.box.backup.place.chosen(), { kind: 'address', address: 'b2:bucket:box' });
  await t.box.backup.place.choose(null);
  const { place, repository } = t.box.backup;
  place.isFixed = true;
  await adoptAt(t.box, 'b2:bucket:box', 'of the settings file');
  equal(t.repository.calls.at(-1), 'adopt of the settings file');
  t.box.backup.repository = { ...repository, shownAddress: '/mnt/usb' };
  await rejects(adoptAt(t.box, 'b2:bucket:box', 'right'), /The place is set in/);
  match(readFileSync(file(), 'utf8'), /"place":null/);
});

test('what is remembered at a new place is one value, so that lists of apps are kept', async () => {
  const { place, runs } = t.box.backup;
  await runs.change((known) => ({ ...known, isKeyKept: true }));
  await place.choose({ kind: 'address', address: '/mnt/usb' });
  equal(runs.load(), runs.load());
});
