import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, linkSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { giveToOwner } from './owner.ts';

const nobody = 65_534;
const skip = process.getuid?.() !== 0 && 'only root can change owners';

describe('a file that root has open', { skip }, () => {
  const folder = temporaryFolder();
  chownSync(folder, nobody, nobody);
  const given = (path: string) => {
    giveToOwner(openSync(path, 'r'), folder);
    return statSync(path).uid;
  };

  it('gets the owner of its folder', () => {
    writeFileSync(join(folder, 'own'), '');
    assert.equal(given(join(folder, 'own')), nobody);
  });

  it('keeps its owner where root may not change it', () => {
    writeFileSync(join(folder, 'kept'), '');
    const file = JSON.stringify(import.meta.resolve('./owner.ts'));
    const program = `(await import(${file})).giveToOwner(require('node:fs').openSync(process.argv[1], 'r'), process.argv[2])`;
    const node = [process.execPath, '--no-warnings', '-e', `(async () => ${program})()`, join(folder, 'kept'), folder];
    const { status, stderr } = spawnSync('setpriv', ['--bounding-set', '-chown', '--inh-caps', '-chown', ...node]);
    assert.deepEqual([status, stderr.toString()], [0, '']);
    assert.equal(statSync(join(folder, 'kept')).uid, 0);
  });

  it('keeps its owner if it has a second name, which may be a file of another user', () => {
    writeFileSync(join(folder, 'secret'), '');
    linkSync(join(folder, 'secret'), join(folder, 'second'));
    assert.equal(given(join(folder, 'second')), 0);
  });
});

describe('a file that this user cannot open is named with its owner, its mode and a remedy', { skip }, () => {
  const program = `
    const { requireAccess } = await import(${JSON.stringify(import.meta.resolve('./owner.ts'))});
    process.setgroups([]); process.setgid(${nobody}); process.setuid(${nobody});
    try { requireAccess(process.argv[1], 6); console.log('open'); } catch (error) { console.log(error.message); }
  `;
  const problem = (path: string) =>
    spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', program, path]).stdout.toString().trim();
  const folder = temporaryFolder();
  const make = (name: string, uid: number, mode: number) => {
    writeFileSync(join(folder, name), '');
    chownSync(join(folder, name), uid, uid);
    chmodSync(join(folder, name), mode);
  };
  chownSync(folder, nobody, nobody);
  make('root', 0, 0o600);
  make('readable', 0, 0o644);
  make('closed', nobody, 0o400);
  make('own', nobody, 0o600);
  mkdirSync(join(folder, 'inner'), { mode: 0o700 });

  for (const [name, text] of [
    ['root', 'F/root belongs to root and has mode 600, so nobody cannot open it: as root, chown --reference=F F/root'],
    [
      'readable',
      'F/readable belongs to root and has mode 644, so nobody cannot open it: as root, chown --reference=F F/readable',
    ],
    ['closed', 'F/closed belongs to user 65534 and has mode 400, so nobody cannot open it: chmod u+rw F/closed'],
    ['inner/any', 'permission denied for nobody in F/inner: run this as root'],
    ['own', 'open'],
    ['absent', 'open'],
  ] as const) {
    it(name, () => assert.equal(problem(join(folder, name)), text.replaceAll('F', folder)));
  }
});
