import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Disk, diskProblem, isWorthRemembering } from './disk-problem.ts';

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
