import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import type { SoftwareFolder } from '../ports.ts';
import { makeSoftwareFolder } from './software-folder.ts';

let root = '';
let folder: SoftwareFolder;
beforeEach(async () => {
  root = temporaryFolder();
  for (const version of ['0.9.0', '1.0.0', '2.0.0']) await mkdir(join(root, version));
  await symlink('1.0.0', join(root, 'current'));
  folder = makeSoftwareFolder(root);
});

async function stageFiles(text: string, script: string): Promise<void> {
  await mkdir(join(folder.staging, 'bin'), { recursive: true });
  await writeFile(join(folder.staging, 'package.json'), text);
  await writeFile(join(folder.staging, 'bin/boxgate'), script);
  await chmod(join(folder.staging, 'bin/boxgate'), 0o755);
}

describe('the current version', () => {
  test('is the directory that the link names', async () => assert.equal(await folder.current(), '1.0.0'));

  const others: Record<string, (current: string) => Promise<unknown>> = {
    'no link': async () => undefined,
    'a directory': (current) => mkdir(current),
    'a link to nothing': (current) => symlink('3.0.0', current),
    'a link to elsewhere': (current) => symlink('../1.0.0', current),
    'an absolute link': (current) => symlink(join(root, '1.0.0'), current),
    'a link to a file': async (current) => {
      await writeFile(join(root, '4.0.0'), '');
      await symlink('4.0.0', current);
    },
  };
  for (const [name, make] of Object.entries(others)) {
    test(`is null where there is ${name}`, async () => {
      await rm(join(root, 'current'));
      await make(join(root, 'current'));
      assert.equal(await folder.current(), null);
    });
  }

  test('is null where the folder is a link to itself', async () => {
    await symlink('loop', join(root, 'loop'));
    const loop = makeSoftwareFolder(join(root, 'loop'));
    assert.deepEqual([await loop.current(), await loop.previous()], [null, null]);
    await assert.rejects(loop.clear(), { name: 'StorageFailed', message: /cannot remove .*loop/ });
  });

  test('is null where the folder is closed to this user', { skip: process.getuid?.() === 0 }, async () => {
    await chmod(root, 0o000);
    assert.deepEqual([await folder.current(), await folder.previous()], [null, null]);
    await chmod(root, 0o755);
  });

  test('is null where there is no folder, and nothing is removed there', async () => {
    const nowhere = makeSoftwareFolder(join(root, 'nowhere'));
    assert.deepEqual([await nowhere.current(), await nowhere.previous()], [null, null]);
    await nowhere.clear();
  });
});

describe('choice/box/365: a switch', () => {
  test('takes over what an earlier one has left', async () => {
    await symlink('0.9.0', join(root, '.rollback'));
    await symlink('0.9.0', join(root, '.current'));
    await folder.switchTo('2.0.0');
    assert.deepEqual([await folder.current(), await folder.previous()], ['2.0.0', '1.0.0']);
  });

  test('fails in words', async () => {
    await rm(join(root, 'current'));
    const message = new RegExp(`^cannot make version 2\\.0\\.0 the current one in ${root}: `);
    await assert.rejects(folder.switchTo('2.0.0'), { name: 'StorageFailed', message });
  });
});

describe('choice/box/365: staged files', () => {
  const json = '{"name": "boxgate", "version": "2.0.0"}';
  const check = () => folder.checkStaged('2.0.0', ['box', 'serve']);

  test('are this version, and run', async () => {
    await stageFiles(json, `#!/bin/sh\necho "$*" >'${root}/asked'\n`);
    await check();
    assert.equal(await readFile(join(root, 'asked'), 'utf8'), 'box serve --help\n');
  });

  const wrong: [string, string, string, RegExp][] = [
    ['another version', json.replace('2.0.0', '1.9.0'), '', /holds something else: boxgate 1\.9\.0/],
    ['another program', json.replace('boxgate', 'other'), '', /holds something else: other 2\.0\.0/],
    ['no JSON', 'x', '', /holds something else/],
    ['a program that fails', json, '#!/bin/sh\necho no GLIBC >&2; exit 1\n', /on this machine: no GLIBC$/],
    ['a silent program', json, '#!/bin/sh\nexit 3\n', /does not run on this machine: exit status 3$/],
    ['no program', json, '#!/nowhere\n', /does not run on this machine: /],
  ];
  for (const [name, text, script, message] of wrong) {
    test(`are refused: ${name}`, async () => {
      await stageFiles(text, script);
      await assert.rejects(check(), { name: 'UpdateFailed', message });
    });
  }

  test('are refused without a package.json', async () => {
    await assert.rejects(check(), { message: /holds something else: no package\.json/ });
  });

  test('replace files of the same version', async () => {
    await writeFile(join(root, '2.0.0', 'old'), '');
    await stageFiles(json, '');
    await folder.place('2.0.0');
    assert.deepEqual((await readdir(join(root, '2.0.0'))).sort(), ['bin', 'package.json']);
    assert.deepEqual((await readdir(root)).sort(), ['.placed', '0.9.0', '1.0.0', '2.0.0', 'current']);
  });
});

describe('choice/box/365: what is removed', () => {
  test('are a version that was placed, unless it is current', async () => {
    const place = async () => {
      await stageFiles('{}', '');
      await folder.place('2.1.0');
    };
    await place();
    await folder.discard();
    assert.deepEqual((await readdir(root)).sort(), ['0.9.0', '1.0.0', '2.0.0', 'current']);
    await place();
    await folder.switchTo('2.1.0');
    await folder.discard();
    await folder.commit();
    assert.deepEqual((await readdir(root)).sort(), ['0.9.0', '1.0.0', '2.0.0', '2.1.0', 'current']);
    assert.equal(await folder.current(), '2.1.0');
  });

  test('are no version after a commit', async () => {
    await stageFiles('{}', '');
    await folder.place('2.1.0');
    await folder.switchTo('2.1.0');
    await folder.commit();
    await folder.switchTo('1.0.0');
    await folder.commit();
    await folder.discard();
    assert.deepEqual((await readdir(root)).sort(), ['0.9.0', '1.0.0', '2.0.0', '2.1.0', 'current']);
  });
});

test('free bytes are those of the disk', async () => assert.ok((await folder.freeBytes()) > 0));
