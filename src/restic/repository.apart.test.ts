import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';
import { placeAt } from './open-place.ts';
import { ResticFailed } from './ports.ts';
import { makeRepository } from './repository.ts';

/** A restic that notes its arguments and environment, and keeps a repository as one file. */
const program = `#!/bin/sh
echo "$*" >> "$STATE/calls"
env > "$STATE/env"
case $1 in
  cat) if [ -e "$RESTIC_REPOSITORY/config" ]; then cat "$RESTIC_REPOSITORY/config"; else
    echo 'Is there a repository at the following location?' >&2; exit 1; fi ;;
  init) mkdir -p "$RESTIC_REPOSITORY" && echo '{"id":"0123"}' > "$RESTIC_REPOSITORY/config" ;;
  backup) [ ! -e "$STATE/unread" ] || { cat "$STATE/unread" >&2; }
    echo '{"message_type":"summary","snapshot_id":"ab12","total_bytes_processed":20,"data_added":3}'
    [ ! -e "$STATE/unread" ] || exit 3 ;;
  snapshots) cat "$STATE/snapshots" 2> /dev/null || echo '[]' ;;
  forget) if [ -e "$STATE/lock" ]; then echo 'repository is already locked' >&2; exit 1; fi ;;
  unlock) rm "$STATE/lock" ;;
esac
`;

let folder: string;
let state: string;
beforeEach(() => {
  folder = temporaryFolder();
  state = join(folder, 'state');
  mkdirSync(state);
  writeFileSync(join(folder, 'restic'), program);
  chmodSync(join(folder, 'restic'), 0o755);
  writeFileSync(join(state, 'backup.env'), `STATE=${state}\nRESTIC_REPOSITORY=/of/somebody/else\n`);
});

const repositoryAt = (address: string, path = `${folder}:${process.env.PATH}`) =>
  makeRepository({ place: () => placeAt(address, join(state, 'backup.env')), stateDirectory: state }, { PATH: path });
const calls = () =>
  existsSync(join(state, 'calls')) ? readFileSync(join(state, 'calls'), 'utf8').trim().split('\n') : [];
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error) => (error instanceof ResticFailed ? error.fault : error),
  );

test('makes a repository once, with a key that is in no argument', async () => {
  const repository = repositoryAt(join(folder, 'place'));
  assert.equal(await repository.prepare(), true);
  assert.equal(await repository.prepare(), false);
  const key = await repository.key();
  assert.equal(key.length, 43);
  assert.equal(statSync(join(state, 'backup.key')).mode & 0o777, 0o600);
  assert.ok(!readFileSync(join(state, 'calls'), 'utf8').includes(key));
  assert.match(readFileSync(join(state, 'env'), 'utf8'), new RegExp(`RESTIC_REPOSITORY=${folder}/place\n`));
  assert.equal(calls().filter((call) => call === 'init').length, 1);
});

test('never makes a repository again that is missing, at any address that was used', async () => {
  const place = join(folder, 'place');
  await repositoryAt(place).prepare();
  await repositoryAt(join(folder, 'other')).prepare();
  rmSync(place, { recursive: true });
  assert.equal(await repositoryAt(place).prepare(), false);
  assert.ok(!existsSync(place));
  rmSync(join(state, 'backup.key'));
  assert.equal(await faultOf(repositoryAt(place).key()), 'no-key');
});

test('takes a repository that is there already', async () => {
  const place = join(folder, 'place');
  mkdirSync(place);
  writeFileSync(join(place, 'config'), '{"id":"abc"}');
  assert.equal(await repositoryAt(place).prepare(), false);
  assert.ok(!calls().includes('init'));
});

test('makes no folder of a disk that is not mounted', async () => {
  assert.equal(await faultOf(repositoryAt(join(folder, 'mnt/usb')).prepare()), 'no-repository');
  assert.ok(!existsSync(join(folder, 'mnt')));
});

test('says that restic is missing, and changes nothing', async () => {
  const repository = repositoryAt(join(folder, 'place'), '/nowhere');
  assert.equal(await repository.isAvailable(), false);
  assert.equal(await faultOf(repository.prepare()), 'no-restic');
  assert.ok(!existsSync(join(state, 'backup.key')));
});

test('refuses a damaged record, because the repository may be known', async () => {
  writeFileSync(join(state, 'backup.json'), 'x');
  assert.equal(await faultOf(repositoryAt(join(folder, 'place')).prepare()), 'failed');
});

test('backs up with escaped patterns, and names what could not be read', async () => {
  const repository = repositoryAt(join(folder, 'place'));
  const excludes = [{ folder: '/apps/a[1]*', pattern: 'cache/**' }];
  const plan = { paths: ['/apps/-a'], excludes, tags: ['app=a', 'x=y'] };
  assert.deepEqual(await repository.backUp(plan), { id: 'ab12', bytes: 20, bytesAdded: 3, unread: [] });
  const expected = String.raw`backup --json --quiet --tag app=a --tag x=y --exclude /apps/a\[1\]\*/cache/** -- /apps/-a`;
  assert.equal(calls().at(-1), expected);
  writeFileSync(join(state, 'unread'), '{"message_type":"error","item":"/apps/-a/x"}\nwarning\n');
  assert.deepEqual((await repository.backUp(plan)).unread, ['/apps/-a/x']);
});

test('waits for a place that is away only while no app is stopped', async () => {
  const repository = repositoryAt(join(folder, 'place'));
  const plan = { paths: ['/apps/a'], excludes: [], tags: [] };
  for (const [waits, isGivenUp] of [
    ['552.33ms', false],
    ['4.99s', false],
    ['5.1s', true],
    ['11.66401435s', true],
    ['1m2.5s', true],
  ] as const) {
    const retry = `Save(<data/6f>) returned error, retrying after ${waits}: connect: connection refused`;
    const later = isGivenUp ? 'exec sleep 99' : 'true';
    const tries = `#!/bin/sh\necho '${retry}' >&2; ${later}\n${program}`;
    writeFileSync(join(folder, 'restic'), tries);
    const fault = await faultOf(repository.backUp({ ...plan, isUrgent: true }));
    assert.equal(fault, isGivenUp ? 'away' : 'none', waits);
    writeFileSync(join(folder, 'restic'), tries.replace('exec sleep 99', 'sleep 0.1'));
    assert.equal(await faultOf(repository.backUp(plan)), 'none', waits);
  }
});

test('lists snapshots, the oldest first, and finds the new id of a tagged one', async () => {
  const list = [
    { id: 'bb22', time: '2026-01-02T00:00:00Z', tags: ['app=a'], paths: ['/x'], original: 'ab1234' },
    { id: 'aa11', time: '2026-01-01T00:00:00Z', tags: null, paths: ['/x'] },
    { time: 'no id' },
  ];
  writeFileSync(join(state, 'snapshots'), JSON.stringify(list));
  const repository = repositoryAt(join(folder, 'place'));
  assert.deepEqual(
    (await repository.snapshots()).map(({ id }) => id),
    ['aa11', 'bb22'],
  );
  assert.equal(await repository.addTags('ab12', ['away=1']), 'bb22');
  await repository.snapshots('app=a');
  assert.equal(calls().at(-1), 'snapshots --json --tag app=a');
  for (const [text, count] of [
    ['null', 0],
    ['', 0],
  ] as const) {
    writeFileSync(join(state, 'snapshots'), text);
    assert.equal((await repository.snapshots()).length, count);
  }
  writeFileSync(join(state, 'snapshots'), 'odd');
  assert.equal(await faultOf(repository.snapshots()), 'failed');
});

test('a place where no repository can be made leaves nothing behind', async () => {
  const place = join(folder, 'place');
  const failing =
    '#!/bin/sh\n[ "$1" != init ] || { mkdir -p "$RESTIC_REPOSITORY/data"; echo "no space left on device" >&2; exit 1; }\n';
  writeFileSync(join(folder, 'restic'), `${failing}${program}`);
  assert.equal(await faultOf(repositoryAt(place).prepare()), 'no-room');
  assert.deepEqual([existsSync(place), existsSync(join(state, 'backup.key'))], [false, false]);
  // A key that is left without a repository keeps no other one away.
  writeFileSync(join(state, 'backup.key'), 'unused\n');
  mkdirSync(place);
  writeFileSync(join(place, 'config'), '{"id":"abc"}');
  await repositoryAt(place).adopt('the key', false);
  assert.equal(await repositoryAt(place).key(), 'the key');
});

test('removes the lock of a killed restic, and repeats the command', async () => {
  writeFileSync(join(state, 'lock'), '');
  await repositoryAt(join(folder, 'place')).forget(['a'], false);
  assert.deepEqual(calls(), ['forget a', 'unlock', 'forget a']);
});

test('reads without a lock what a full or read-only disk has', async () => {
  const refused = `[ "$(echo "$*" | grep -c no-lock)" = 1 ] || { echo "lock: $WHY" >&2; exit 1; }`;
  writeFileSync(join(folder, 'restic'), `#!/bin/sh\n${refused}\n${program}`);
  writeFileSync(join(state, 'snapshots'), '[]');
  const repository = repositoryAt(join(folder, 'place'));
  for (const why of ['no space left on device', 'read-only file system']) {
    writeFileSync(join(state, 'backup.env'), `STATE=${state}\nWHY=${why}\n`);
    await repository.snapshots();
    await repository.restore('ab12', '/to', '/apps/a');
    assert.equal(calls().at(-1), 'restore ab12 --target /to --include /apps/a --sparse --no-lock');
  }
  writeFileSync(join(state, 'backup.env'), `STATE=${state}\nWHY=connection refused\n`);
  assert.equal(await faultOf(repository.snapshots()), 'away');
});

test('adopts a repository whose key is the given one, and else leaves nothing behind', async () => {
  const place = join(folder, 'place');
  const repository = repositoryAt(place);
  assert.equal(await faultOf(repository.adopt('the key', false)), 'no-repository');
  mkdirSync(place);
  writeFileSync(join(place, 'config'), '{"id":"abc"}');
  writeFileSync(join(folder, 'restic'), `${program}\n[ "$(cat "$RESTIC_PASSWORD_FILE")" = 'the key' ] || exit 12`);
  assert.equal(await faultOf(repository.adopt('another', false)), 'wrong-key');
  assert.deepEqual(
    readdirSync(state).filter((name) => /^backup[.-](?!env)/.test(name)),
    [],
  );
  await repository.adopt('the key', false);
  assert.equal(await repository.key(), 'the key');
  assert.equal(statSync(join(state, 'backup.key')).mode & 0o777, 0o600);
  assert.ok(!readFileSync(join(state, 'calls'), 'utf8').includes('the key'));
  rmSync(place, { recursive: true });
  assert.equal(await repository.prepare(), false, 'it is known, and never made again');
  assert.equal(await faultOf(repository.adopt('of other backups', false)), 'wrong-key');
  mkdirSync(place);
  writeFileSync(join(place, 'config'), '{"id":"abd"}');
  writeFileSync(join(folder, 'restic'), program);
  await repository.adopt('of other backups', true);
  assert.equal(await repository.key(), 'of other backups');
  assert.deepEqual(repository.known(), [place]);
  const [kept = ''] = readdirSync(state).filter((name) => name.startsWith('backup.key.until-'));
  assert.equal(readFileSync(join(state, kept), 'utf8'), 'the key\n');
  assert.equal(statSync(join(state, kept)).mode & 0o777, 0o600);
});

test('a check reads a part of the data, beside others without a lock', async () => {
  const repository = repositoryAt(join(folder, 'place'));
  await repository.check({ number: 3, of: 30 }, 'beside');
  await repository.check({ number: 3, of: 30 }, 'alone');
  assert.deepEqual(calls(), ['check --read-data-subset=3/30 --no-lock', 'check --read-data-subset=3/30']);
});
