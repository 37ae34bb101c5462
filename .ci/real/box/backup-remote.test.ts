import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { type Box, startBox } from '../support/box.ts';
import { container } from '../support/programs/docker.ts';
import { addRow, assertTidy, rows, version } from '../support/saved-app.ts';
import { freePort, launcher } from '../support/server-process.ts';
import { until } from '../support/until.ts';

const name = 'real-backup-remote';

/**
 * A REST server of rclone behind a proxy, which can vanish: all connections break, and no new one is accepted. It can
 * also be silent: it takes all that is sent, and answers nothing.
 */
async function startPlace(t: TestContext, folder: string) {
  const [inner, outer] = [await freePort(), await freePort()];
  mkdirSync(folder);
  const argv = ['serve', 'restic', '--addr', `127.0.0.1:${inner}`, '--user', 'box', '--pass', 'geheim', folder];
  const rclone = spawn('rclone', argv, { stdio: 'ignore' });
  t.after(() => rclone.kill());
  await until('rclone answers', () =>
    fetch(`http://127.0.0.1:${inner}/`).then(
      () => true,
      () => false,
    ),
  );
  const sockets = new Set<Socket>();
  let fatal = { request: 'none', times: 0, isSilent: false };
  const proxy = createServer((client) => {
    const server = connect(inner, '127.0.0.1');
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    client.on('data', (bytes) => {
      if (bytes.includes(fatal.request)) fatal.times -= 1;
      if (fatal.times < 0) return fatal.isSilent ? undefined : vanish();
      server.write(bytes);
    });
    client.on('end', () => server.end());
    server.pipe(client);
  });
  const vanish = () => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  };
  const appear = async () => {
    fatal = { request: 'none', times: 0, isSilent: false };
    if (proxy.listening) return;
    proxy.listen(outer, '127.0.0.1');
    await once(proxy, 'listening');
  };
  t.after(vanish);
  await appear();
  return {
    address: `rest:http://box:geheim@127.0.0.1:${outer}/here/`,
    vanish,
    appear,
    /** Vanishes or is silent when a request begins like this, after it was answered some times. */
    failAt(request: string, times: number, how: 'vanish' | 'be silent') {
      fatal = { request, times, isSilent: how === 'be silent' };
    },
  };
}

/** Runs a command of the backups; the proxy needs this process meanwhile. */
async function run(box: Box, ...words: string[]): Promise<{ isDone: boolean; text: string }> {
  const env = { ...process.env, ...box.env, BOX_INSTALLED_APPS: box.installed, BOX_STATE_DIR: box.state };
  const done = promisify(execFile)(process.execPath, [launcher, 'box', 'backup', ...words], { env });
  return done.then(
    ({ stdout }) => ({ isDone: true, text: stdout }),
    ({ stdout, stderr }) => ({ isDone: false, text: `${stdout}${stderr}` }),
  );
}

test('backups on a server, which is away at a start, and goes in the middle', async (t) => {
  const box = await startBox(t, { [name]: version('1.0', '1') });
  const place = await startPlace(t, join(box.folder, 'server'));
  await box.kill();
  box.env = { BOX_BACKUP_REPOSITORY: place.address };
  await box.start();
  assert.equal((await box.install(name)).status, 200);
  addRow(name, 'saved');
  const saved = rows(box, name);
  const made = await run(box, 'make', name);
  assert.ok(made.isDone, made.text);
  assert.match(made.text, /rest:http:\/\/box:\*\*\*@/);
  const list = async () => (await run(box, 'list', name)).text.split('\n').filter((line) => line !== '');
  assert.equal((await list()).length, 1);
  addRow(name, 'not saved');

  for (const [told, harm] of [
    ['at the start', () => place.vanish()],
    // The first snapshot is that of the running app.
    ['while the app is stopped', () => place.failAt('POST /here/snapshots/', 1, 'vanish')],
    ['and takes an upload without an answer', () => place.failAt('POST /here/snapshots/', 1, 'be silent')],
  ] as const) {
    harm();
    const { isDone, text } = await run(box, 'make', name);
    assert.equal(isDone, false, told);
    assert.match(text, /^[^\n]*the repository at rest:http:\/\/box:\*\*\*@\S+ does not answer [^\n]*\n$/, told);
    assert.doesNotMatch(text, /geheim/);
    assert.equal(container(name, 'web').status, 'running', told);
    await place.appear();
    assert.equal((await list()).length, 1, told);
  }
  const restored = await run(box, 'restore', name);
  assert.ok(restored.isDone, restored.text);
  const [volume = '', folder] = rows(box, name);
  assert.equal(volume, folder);
  const [before = ''] = saved;
  assert.ok(volume.startsWith(before), volume);
  assert.match(volume.slice(before.length), /^(?:web 1\n)+$/);
  box.env = { BOX_BACKUP_REPOSITORY: join(box.folder, 'server/here') };
  assertTidy(box, name);
});
