import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CommandResult } from '../../lib/command-result.ts';
import { ResticFailed } from '../../restic/ports.ts';
import { reconcile } from '../engine/reconcile.ts';
import { useTestBox } from '../testing/test-box.ts';
import { makeOwnPlaces } from './adapters/own-places.ts';
import { bringBack, returnText } from './bring-back.ts';
import { makeBackups } from './make-backup.ts';
import { backupLines, backupText } from './rooms/list-backups.ts';
import { runBackups } from './run-backups.ts';

const t = useTestBox();
const told: string[] = [];
const tell = ({ text }: CommandResult) => told.push(text);
const run = () => runBackups(t.box, { tell, isStopping: () => false });

test('own apps of the catalogue come back on a new machine, and its settings stay', async () => {
  const other = join(t.root, 'elsewhere');
  const { catalogue, state } = t.directories;
  const deep = join(t.root, 'disk/own');
  t.box.backup.own = makeOwnPlaces([catalogue, other, deep], state);
  for (const folder of [other, deep, state]) mkdirSync(folder, { recursive: true });
  for (const folder of [other, deep]) writeFileSync(join(folder, 'readme'), 'mine');
  writeFileSync(join(state, 'https.json'), 'before');
  t.own('sketches');
  t.installed('notes');
  await reconcile(t.box, null);
  t.repository.isInstalled = true;
  await run();
  assert.match(
    told.join('\n'),
    new RegExp(`^the box itself: backup \\S+ of .*${state}/https\\.json, ${catalogue}`, 'm'),
  );
  assert.equal(await makeBackups(t.box, { name: '', tell, isStopping: () => false }), 0);
  const { lines } = await backupLines(t.box, '');
  assert.equal(lines.filter((line) => line.includes('the box itself')).length, 2);
  assert.match(await backupText(t.box, t.repository.kept.at(-1)?.id ?? ''), /the box itself.*\/elsewhere/);

  for (const folder of [catalogue, join(t.root, 'disk')]) rmSync(folder, { recursive: true });
  writeFileSync(join(other, 'readme'), 'another');
  writeFileSync(join(state, 'https.json'), 'after');
  told.length = 0;
  t.repository.failing.set('restore', new ResticFailed('the place is away', 'away'));
  assert.equal(await bringBack(t.box, { tell: (one) => tell(returnText(one)) }), 1);
  assert.match(told.join('\n'), /^the box itself: the place is away\nnotes: is installed already/);
  told.length = 0;
  assert.equal(await bringBack(t.box, { tell: (one) => tell(returnText(one)) }), 0);
  assert.match(told.join('\n'), new RegExp(`^the box itself: your own apps are back in ${catalogue}\n`));
  assert.match(
    told.join('\n'),
    /https\.json, \S+elsewhere stay as they are here; boxgate box backup restore \S+ --to FOLDER/,
  );
  assert.match(readFileSync(join(catalogue, 'sketches/manifest.json'), 'utf8'), /1\.0\.0/);
  assert.deepEqual(
    [other, deep].map((folder) => readFileSync(join(folder, 'readme'), 'utf8')),
    ['another', 'mine'],
  );
  assert.equal(readFileSync(join(state, 'https.json'), 'utf8'), 'after');
  assert.deepEqual(
    t.tree().filter((path) => path.includes('.boxgate-restore')),
    [],
  );
});
