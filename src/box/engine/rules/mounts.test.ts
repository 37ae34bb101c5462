import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Disk, diskProblem, hasData, isWorthRemembering, mayHang, mountOf, parseMounts } from './mounts.ts';

const text = `
1 0 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
2 1 8:1 /var/lib/boxgate /var/lib/boxgate rw,relatime shared:1 - ext4 /dev/sda1 rw
3 1 8:1 /data /srv/data rw - ext4 /dev/sda1 rw
4 1 8:17 / /mnt/a\\040disk rw shared:5 master:1 - ext4 /dev/sdb1 rw
5 4 8:17 /photos /mnt/a\\040disk/photos rw - ext4 /dev/sdb1 rw
6 4 8:17 / /mnt/a\\040disk/again rw - ext4 /dev/sdb1 rw
7 1 0:44 / /mnt/nas rw - autofs systemd-1 rw
8 7 0:45 / /mnt/nas rw - nfs4 nas:/share rw
9 1 0:50 /@home /home rw - btrfs /dev/sdc1 rw
10 99 0:51 / /tank rw - zfs tank rw
11 10 0:51 / /tank rw - zfs tank rw
broken line
12 1 8:1 too short
`;

test('reads the mounts, without folders that are mounted on themselves', () => {
  const shown = parseMounts(text).map(({ point, type, source, root }) => `${point} ${type} ${source} ${root}`);
  assert.deepEqual(shown, [
    '/ ext4 /dev/sda1 /',
    '/srv/data ext4 /dev/sda1 /data',
    '/mnt/a disk ext4 /dev/sdb1 /',
    '/mnt/a disk/again ext4 /dev/sdb1 /',
    '/mnt/nas nfs4 nas:/share /',
    '/home btrfs /dev/sdc1 /@home',
    '/tank zfs tank /',
  ]);
});

const paths: [path: string, point: string][] = [
  ['/', '/'],
  ['/srv', '/'],
  ['/srv/database', '/'],
  ['/srv/data', '/srv/data'],
  ['/mnt/a disk/photos/2024', '/mnt/a disk'],
  ['/mnt/a disk/again', '/mnt/a disk/again'],
];
for (const [path, point] of paths) {
  test(`${path} is on the mount at ${point}`, () => assert.equal(mountOf(path, parseMounts(text))?.point, point));
}

test('knows no mount if none is listed, and which file systems may hang', () => {
  assert.equal(mountOf('/srv', []), null);
  const hanging = parseMounts(text).filter(mayHang);
  assert.deepEqual(
    hanging.map(({ point }) => point),
    ['/mnt/nas'],
  );
});

test('knows which mounts hold data', () => {
  const inner = `${text}13 1 0:52 / /srv/overlay rw - overlay overlay rw
14 1 7:1 / /snap/core ro - squashfs /dev/loop1 ro
15 1 0:53 / /srv/tmp rw - tmpfs tmpfs rw`;
  const without = parseMounts(inner).filter((mount) => !hasData(mount));
  assert.deepEqual(
    without.map(({ point }) => point),
    ['/srv/overlay', '/snap/core', '/srv/tmp'],
  );
});

const folder = '/mnt/disk/photos';
const at = (place: string, uuid: string | null = null): Disk => ({ at: place, uuid });

const cases: [what: string, before: Disk, now: Disk, isMounted: boolean, problem: RegExp | null][] = [
  ['the same mount', at('/mnt/disk'), at('/mnt/disk'), true, null],
  [
    'a mount that is missing',
    at('/mnt/disk'),
    at('/'),
    false,
    /^nothing is mounted at \/mnt\/disk, where .*photos was$/,
  ],
  ['an inner mount that is missing', at('/mnt/disk/photos'), at('/mnt/disk'), false, /mounted at \/mnt\/disk\/photos/],
  ['a folder that got a disk of its own', at('/mnt'), at('/mnt/disk'), true, null],
  ['a link that leads elsewhere, while its disk is mounted', at('/mnt/disk'), at('/'), true, null],
  ['a link to another disk', at('/mnt/disk'), at('/srv'), false, null],
  ['another disk at the same place', at('/mnt/disk', 'a'), at('/mnt/disk', 'b'), true, /^another disk than before/],
  ['the same disk under another number', at('/mnt/disk', 'a'), at('/mnt/disk', 'a'), true, null],
  ['a disk whose id is not known any more', at('/mnt/disk', 'a'), at('/mnt/disk'), true, null],
];
for (const [what, before, now, isMounted, problem] of cases) {
  test(`${what} is ${problem === null ? 'no' : 'a'} problem`, () => {
    const found = diskProblem(folder, before, now, isMounted);
    if (problem === null) assert.equal(found, null);
    else assert.match(found ?? '', problem);
  });
}

const places: [place: string, isWorth: boolean][] = [
  ['/', false],
  ['/var', false],
  ['/var/lib/boxgate/apps/photos/data', true],
  ['/mnt/disk', true],
  ['/proc', false],
  ['/dev/shm', false],
  ['/run/user/1000', false],
  ['/run/media/me/disk', true],
  ['/tmp', false],
  ['/tmp/disk', true],
];
for (const [place, isWorth] of places) {
  test(`the mount at ${place} is ${isWorth ? '' : 'not '}remembered`, () => {
    assert.equal(isWorthRemembering(at(place), '/var/lib/boxgate/apps/photos'), isWorth);
  });
}
