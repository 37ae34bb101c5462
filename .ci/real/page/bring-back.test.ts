import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Box, startBox } from '../support/box.ts';
import { actOn, mountDisk, startConsole } from '../support/console.ts';
import { container, docker, forget } from '../support/programs/docker.ts';
import { registry } from '../support/programs/registry.ts';
import { required } from '../support/required.ts';
import { addRow, rows, version } from '../support/saved-app.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { openScreen, phone, press } from './screen.ts';

const names = ['real-return-a', 'real-return-b'];
/** Its image is in no registry, so the new machine cannot run it at first. */
const gone = 'real-return-gone';
const image = `${registry}/gone:1`;

function makeImage(): void {
  const id = docker('create', `${registry}/web:3`);
  docker('commit', id, image);
  docker('rm', id);
}

test('a box that is thrown away comes back from its disk of backups, by the pages alone', async (t) => {
  const disk = mountDisk(t);
  const apps = Object.fromEntries(names.map((name) => [name, version('1.0', '1')]));
  const box = await startBox(t, { ...apps, [gone]: { compose: `services: { web: { image: "${image}" } }` } });
  const kept = mkdtempSync(join(required('BOXGATE_REAL'), 'own-'));
  t.after(() => rmSync(kept, { recursive: true }));
  const ownApps = join(kept, 'apps');
  mkdirSync(join(ownApps, 'sketches'), { recursive: true });
  writeFileSync(join(ownApps, 'sketches/note.txt'), 'of my own');
  await box.kill();
  box.env = { BOX_CATALOGUE: ownApps };
  await box.start();
  makeImage();
  assert.equal((await box.install(gone)).status, 200);
  for (const name of names) {
    assert.equal((await box.install(name, { DB_PASSWORD: `secret-of-${name}` })).status, 200);
    addRow(name, `row-of-${name}`);
  }
  const before = names.map((name) => rows(box, name));
  const first = await startConsole(t, box);
  assert.equal((await actOn(first, 'place/disk', { disk_mount: disk })).status, 200);
  const made = box.command('backup', 'make');
  assert.equal(made.status, 0, made.stderr);

  const screen = await openScreen(t, `${box.url}/apps`, ...phone);
  const { page } = screen;
  const open = async (server: ServerProcess, room: string) => {
    // From another page, so that the browser loads this one anew.
    await page.goto('about:blank');
    await page.goto(`${server.url}/settings/#/${room}`);
    await page.locator('#room .waiting').first().waitFor({ state: 'detached' });
  };
  await t.test('a file of a backup is downloaded, and its folder as an archive', async () => {
    await open(first, `backups/${names[0]}`);
    await page.getByRole('link', { name: /^Look at its files/ }).click();
    await page.getByRole('link', { name: 'Data: data' }).click();
    const saved = async (link: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: link, exact: true }).click(),
      ]);
      return download.path();
    };
    assert.equal(readFileSync(await saved('rows'), 'utf8'), before[0]?.[0]);
    const archive = await saved('Download this folder');
    const listed = execFileSync('tar', ['--list', '--file', archive], { encoding: 'utf8' }).trim().split('\n');
    assert.ok(
      listed.some((path) => path.endsWith('/_data/rows')),
      listed.join(' '),
    );
  });

  const key = readFileSync(join(box.state, 'backup.key'), 'utf8').trim();
  await first.kill();
  await box.kill();
  forget([...names, gone]);
  rmSync(box.folder, { recursive: true });
  rmSync(ownApps, { recursive: true });
  docker('image', 'rm', '--force', `${registry}/web:1`, `${registry}/web:3`, image);

  const other = new Box();
  t.after(() => other.close());
  other.env = { BOX_CATALOGUE: ownApps };
  await other.start();
  const second = await startConsole(t, other);
  await open(second, 'bring-back');
  await page.getByText('This box has no app and no backup yet.').waitFor();
  await screen.shot('bring-back-empty');
  await page.getByRole('link', { name: /^Choose the place/ }).click();
  await page.getByText('A disk with the backups of a lost box').click();
  await page.getByLabel('The key of the backups there').first().fill('another');
  await press(page, 'Use these backups: of a disk');
  await page.getByText(/have another key than the one that was given/).waitFor();
  await page.getByLabel('The key of the backups there').first().fill(key);
  await press(page, 'Use these backups: of a disk');
  await page.getByText(/What is there can be chosen under Backups/).waitFor();
  await open(second, 'bring-back');
  for (const name of names) await page.getByRole('checkbox', { name: new RegExp(`^${name}, version 1\\.0`) }).waitFor();
  await screen.shot('bring-back-list');
  await press(page, 'Bring back: what is chosen');
  await page.getByText(/The return of your apps is under way since/).waitFor();
  await page.reload();
  for (const text of [...names.map((name) => `${name} is as it was at`), `In ${ownApps}.`]) {
    await page.getByText(text).waitFor({ timeout: 120_000 });
  }
  await page.getByText(new RegExp(`^${gone} is as it was at .*, but it does not run: `)).waitFor({ timeout: 60_000 });
  await screen.shot('bring-back-done');
  makeImage();
  await press(page, `Try again: ${gone}`);
  await page.getByText(`${gone} is installed and runs`).waitFor({ timeout: 60_000 });

  assert.deepEqual(
    names.map((name) => rows(other, name)),
    before.map((both) => both.map((text) => `${text}web 1\n`)),
  );
  for (const name of names) {
    assert.equal(other.read(name, '.env'), `DB_PASSWORD=secret-of-${name}\n`);
    assert.equal(container(name, 'web').status, 'running');
  }
  assert.equal(readFileSync(join(ownApps, 'sketches/note.txt'), 'utf8'), 'of my own');
  assert.ok(!(await page.content()).includes(key));
});
