import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type AppFiles, Box } from '../support/box.ts';
import { onMachine } from '../support/on-machine.ts';
import { docker, identity } from '../support/programs/docker.ts';
import { registry } from '../support/programs/registry.ts';
import type { Answer } from '../support/server-process.ts';
import { until } from '../support/until.ts';

const web: AppFiles = {
  compose: `services: { web: { image: "${registry}/web:1", env_file: .env } }`,
  files: { '.env.example': '' },
};

/** Operations of an owner on two apps, one of them installed. Each succeeds, or its refusal names the path. */
async function changeEverything(t: TestContext, box: Box, place: string): Promise<void> {
  const changes: Record<string, () => Promise<Answer>> = {
    install: () => box.install('real-more', { B: '1' }),
    settings: () => box.change('real-kept', { A: 'long '.repeat(2000) }),
    reinstall: () => box.install('real-kept'),
    update: () => box.update('real-kept'),
    remove: () => box.remove('real-going'),
  };
  const answered: Record<string, number> = {};
  for (const [what, change] of Object.entries(changes)) {
    const { status, body } = await change();
    answered[what] = status;
    const text = JSON.stringify(body);
    if (status === 200) continue;
    assert.match(text, /space|full|read-only/i, what);
    assert.ok(text.includes(place), `${what} names ${place}: ${text}`);
    assert.ok(!text.includes('\\n    at '), `no stack: ${text}`);
  }
  assert.equal((await box.get('/api/apps')).status, 200);
  assert.equal((await box.get('/api/bundled')).status, 200);
  t.diagnostic(JSON.stringify(answered));
}

for (const place of ['installed', 'state'] as const) {
  for (const harm of ['full', 'read-only'] as const) {
    test(`every change of a box whose ${place} directory is ${harm}: done, or refused and named; nothing is lost`, async (t) => {
      const box = new Box();
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2M', 'tmpfs', box[place]]);
      t.after(async () => {
        await box.kill();
        execFileSync('umount', ['-l', box[place]]);
        await box.close();
      });
      for (const name of ['real-kept', 'real-going', 'real-more']) box.bundle(name, web);
      await box.start();
      for (const name of ['real-kept', 'real-going']) assert.equal((await box.install(name, { A: '1' })).status, 200);
      const running = identity('real-kept');

      const filler = join(box[place], '.filler');
      if (harm === 'full') execFileSync('sh', ['-c', `dd if=/dev/zero of='${filler}' bs=4k 2>/dev/null || true`]);
      else execFileSync('mount', ['-o', 'remount,ro', box[place]]);
      await changeEverything(t, box, box[place]);
      assert.match(box.read('real-kept', '.env'), /^A=/m);
      assert.equal(identity('real-kept').length, running.length);

      execFileSync('mount', ['-o', 'remount,rw,size=8M', box[place]]);
      execFileSync('rm', ['-f', filler]);
      for (const restarts of [false, true]) {
        if (restarts) {
          assert.equal(await box.stop(), 0);
          await box.start();
        }
        const answer = await box.change('real-kept', { A: String(restarts) });
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        assert.match(box.read('real-kept', '.env'), new RegExp(`^A=${restarts}$`, 'm'));
      }
      for (const name of ['real-kept', 'real-more']) assert.equal((await box.install(name)).status, 200);
      assert.equal(identity('real-kept').length, 1);
      for (const name of ['real-kept', 'real-more']) assert.equal((await box.remove(name)).status, 200);
      if (box.has('real-going')) assert.equal((await box.remove('real-going')).status, 200);
      assert.deepEqual((await box.get('/api/apps')).body, []);
    });
  }
}

/** An app that writes into a folder as soon as it starts. */
const writer = (folder: string): AppFiles => ({
  compose: `
services:
  web:
    image: "${registry}/web:1"
    command: ["sh", "-c", "echo start >> /photos/started; exec sleep 9999"]
    init: true
    stop_grace_period: 1s
    restart: unless-stopped
    volumes: ["${folder}:/photos"]`,
});

test('a missing disk: its app is not started, and nothing is written in its place', async (t) => {
  const box = new Box();
  const [disk, name] = [join(box.folder, 'disk'), 'real-photos'];
  const photos = join(disk, 'photos');
  mkdirSync(disk);
  const mount = () => {
    onMachine('mount', '-t', 'tmpfs', '-o', 'size=1M', 'tmpfs', disk);
    onMachine('mkdir', photos);
  };
  mount();
  t.after(async () => {
    onMachine('sh', '-c', `umount -l ${disk} 2>/dev/null || true`);
    await box.close();
  });
  box.bundle(name, writer(photos));
  box.bundle('real-other', web);
  await box.start();
  assert.equal((await box.install(name)).status, 200);
  await until('the app writes', () => onMachine('ls', photos) === 'started\n');

  // After a power cut Docker starts the app before the box, and the disk does not come back.
  await box.stop();
  docker('stop', `${name}-web-1`);
  onMachine('umount', '-l', disk);
  docker('start', `${name}-web-1`);
  await box.start();
  const shown = async () => (await box.get('/api/apps')).body.find((app: { name: string }) => app.name === name);
  await until('the box stops it', async () => (await shown()).state === 'stopped');
  assert.match((await shown()).state_detail, /Not started: nothing is mounted at/);
  rmSync(photos, { recursive: true });

  assert.equal((await box.install('real-other')).status, 200);
  const start = await box.change(name, {});
  assert.equal(start.status, 207, JSON.stringify(start.body));
  assert.match(JSON.stringify(start.body), /nothing is mounted at .*mount it, or/);
  assert.equal((await box.update(name)).status, 502);
  assert.equal(onMachine('ls', disk), '', 'nothing is written in the place of the disk');

  mount();
  assert.equal((await box.change(name, {})).status, 200);
  await until('the app writes', () => onMachine('ls', photos) === 'started\n');

  onMachine('umount', '-l', disk);
  const accepted = box.command('disks', 'accept', name);
  assert.equal(accepted.status, 0, accepted.stderr + accepted.stdout);
  assert.equal((await shown()).state, 'running');
});
