import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { makeUnitFiles } from './unit-files.ts';

const unit = 'boxgate-box.service';
const path = process.env.PATH;
let root = '';
let software = '';
let units = '';
beforeEach(async () => {
  root = temporaryFolder();
  software = join(root, 'software');
  units = join(root, 'units');
  await mkdir(units);
  for (const version of ['1.0.0', '2.0.0']) await addVersion(version, `unit of ${version}`);
  await writeFile(join(root, 'systemctl'), `#!/bin/sh\necho "$*" >>'${root}/calls'\n`);
  await chmod(join(root, 'systemctl'), 0o755);
  process.env.PATH = `${root}:${path}`;
});
afterEach(() => {
  process.env.PATH = path;
});

async function addVersion(version: string, text: string): Promise<void> {
  await mkdir(join(software, version, 'deploy'), { recursive: true });
  await writeFile(join(software, version, 'deploy', unit), text);
}

const calls = () => readFile(join(root, 'calls'), 'utf8').catch(() => '');
const files = () => makeUnitFiles(software, [unit, 'boxgate-tunnel.service'], units);
const ownUnit = () => readFile(join(units, unit), 'utf8');

describe('a unit file', () => {
  test('of another version is replaced, and the service manager reads it', async () => {
    await writeFile(join(units, unit), 'unit of 1.0.0');
    await files().bringUpTo('2.0.0');
    assert.equal(await ownUnit(), 'unit of 2.0.0');
    assert.match(await calls(), /^(--user )?daemon-reload\n$/);
  });

  test('of this version stays, and nothing is read again', async () => {
    await writeFile(join(units, unit), 'unit of 2.0.0');
    await files().bringUpTo('2.0.0');
    assert.equal(await calls(), '');
  });

  test('that somebody edited stays', async () => {
    await writeFile(join(units, unit), 'unit of 1.0.0 and more');
    await files().bringUpTo('2.0.0');
    assert.equal(await ownUnit(), 'unit of 1.0.0 and more');
    assert.equal(await calls(), '');
  });

  test('that is not there, or a link, is not made', async () => {
    await writeFile(join(root, 'elsewhere'), 'unit of 1.0.0');
    await symlink(join(root, 'elsewhere'), join(units, 'boxgate-tunnel.service'));
    await writeFile(join(software, '2.0.0', 'deploy', 'boxgate-tunnel.service'), 'new');
    await files().bringUpTo('2.0.0');
    await assert.rejects(ownUnit(), { code: 'ENOENT' });
    assert.equal(await readFile(join(root, 'elsewhere'), 'utf8'), 'unit of 1.0.0');
  });

  test('that is new with this version is installed, and the console is started', async () => {
    const added = ['boxgate-console.service', 'boxgate-backup.timer'];
    await writeFile(join(units, unit), 'unit of 2.0.0');
    for (const name of added) await writeFile(join(software, '2.0.0', 'deploy', name), name);
    const next = makeUnitFiles(software, [unit, ...added], units);
    await next.bringUpTo('2.0.0');
    for (const name of added) assert.equal(await readFile(join(units, name), 'utf8'), name);
    assert.match(await calls(), /^(--user )?daemon-reload\n(--user )?enable --now boxgate-console\.service\n$/);
    // An owner who removed it does not get it again from a later version.
    await rm(join(units, 'boxgate-console.service'));
    await cp(join(software, '2.0.0'), join(software, '3.0.0'), { recursive: true });
    await next.bringUpTo('3.0.0');
    assert.equal(existsSync(join(units, 'boxgate-console.service')), false);
  });

  test('that cannot be replaced is a failure in words', async () => {
    await writeFile(join(units, unit), 'unit of 1.0.0');
    await writeFile(join(root, 'systemctl'), '#!/bin/sh\nexit 1\n');
    await assert.rejects(files().bringUpTo('2.0.0'), {
      name: 'StorageFailed',
      message: /^cannot replace the units in .*daemon-reload: exit status 1/,
    });
  });
});
