import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startBox } from '../support/box.ts';
import { actOn, mountDisk, startConsole } from '../support/console.ts';
import { version } from '../support/saved-app.ts';
import { freePort } from '../support/server-process.ts';
import { until } from '../support/until.ts';

const name = 'real-backup-chosen';
const address = '192.168.77.1';

/** A server with SFTP of rclone at a private address. Each start ends the one before. */
async function sftpServer(t: TestContext, folder: string) {
  const known = execFileSync('ip', ['addr', 'show', 'dev', 'lo'], { encoding: 'utf8' });
  if (!known.includes(address)) execFileSync('ip', ['addr', 'add', `${address}/32`, 'dev', 'lo']);
  const port = String(await freePort());
  mkdirSync(join(folder, 'files'), { recursive: true });
  const keys = join(folder, 'authorized');
  let server = spawn('true');
  t.after(() => server.kill());
  /** Without `authorized` it lets nobody in. */
  const start = async (hostKey: string, authorized?: string) => {
    const file = join(folder, hostKey);
    if (!existsSync(file)) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
    writeFileSync(keys, `${authorized ?? readFileSync(`${file}.pub`, 'utf8')}\n`);
    if (server.exitCode === null) {
      server.kill();
      await until('the server before has ended', () => server.exitCode !== null || server.signalCode !== null);
    }
    const at = ['--addr', `${address}:${port}`, '--key', file, '--authorized-keys', keys, '--vfs-cache-mode', 'writes'];
    server = spawn('rclone', ['serve', 'sftp', ...at, '--cache-dir', join(folder, 'cache'), join(folder, 'files')]);
    const scan = ['-T', '1', '-p', port, '-t', 'ed25519', address];
    await until('the server answers', () => spawnSync('ssh-keyscan', scan).stdout.length > 0);
  };
  return { port, files: join(folder, 'files'), start };
}

test('backups go to a disk, and to a server with SSH, which are chosen in the console', async (t) => {
  const box = await startBox(t, { [name]: version('1.0', '1') });
  assert.equal((await box.install(name)).status, 200);
  const server = await startConsole(t, box);
  const act = async (name: string, fields: Record<string, string>) => {
    const { status, body } = await actOn(server, name, fields);
    return { status, text: String(body.text ?? body.error) };
  };
  const room = async (path: string) => JSON.stringify((await server.ask(`/settings/api/rooms/${path}`)).body);
  const make = () => box.command('backup', 'make', name);

  const disk = mountDisk(t);
  assert.match(await room('place'), new RegExp(`"${disk}","facts":\\["\\d+ MB of \\d+ MB are free`));
  const chosen = await act('place/disk', { disk_mount: disk });
  assert.deepEqual(chosen, {
    status: 200,
    text: `Backups go to ${disk}/boxgate-backups from now on. It is empty so far.`,
  });
  const made = make();
  assert.equal(made.status, 0, made.stderr);
  assert.equal(readdirSync(join(disk, 'boxgate-backups/snapshots')).length, 1);
  assert.match(await room('backups'), new RegExp(`${name}, .*made by hand`));
  execFileSync('umount', [disk]);
  const missing = make();
  assert.equal(missing.status, 1);
  assert.match(missing.stdout + missing.stderr, new RegExp(`no disk is mounted at ${disk}: connect`));
  assert.deepEqual(readdirSync(disk), []);

  const store = await sftpServer(t, join(box.folder, 'sftp'));
  await store.start('first');
  const typed = { sftp_host: address, sftp_port: store.port, sftp_user: 'box', sftp_path: 'backups' };
  assert.deepEqual((await act('place/server', { ...typed, sftp_host: '127.0.0.1' })).status, 400);
  const asked = await act('place/server', typed);
  assert.equal(asked.status, 200, asked.text);
  const shown = await room('place');
  const [, own = ''] = /"folded":"(ssh-ed25519 [^"]+)"/.exec(shown) ?? [];
  const [, hostKey = ''] = /"sftp_hostKey":"([^"]+)"/.exec(shown) ?? [];
  assert.ok(hostKey !== '' && readFileSync(join(box.folder, 'sftp/first.pub'), 'utf8').startsWith(hostKey), shown);
  const notIn = await act('place/sftp', { ...typed, sftp_hostKey: hostKey });
  assert.equal(notIn.status, 502, notIn.text);
  assert.match(notIn.text, /does not answer .*(?:the server does not let this box in|does it let in the box's key)/);
  await store.start('first', own);
  const taken = await act('place/sftp', { ...typed, sftp_hostKey: hostKey });
  assert.match(taken.text, /^Backups go to sftp:.* from now on\. It is empty so far\.$/);
  const remote = make();
  assert.equal(remote.status, 0, remote.stderr);
  assert.match(box.command('backup', 'list').stdout, new RegExp(name));

  await store.start('second', own);
  const other = box.command('backup', 'list');
  assert.equal(other.status, 1);
  assert.match(other.stderr, /does not answer .*key (?:than the one )?that was accepted/);
});
