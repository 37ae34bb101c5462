import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../lib/testing/temporary-folder.ts';
import { updateApplyCommand, updateCheckCommand } from './commands.ts';
import { boxProduct } from './product.ts';
import type { UpdateSettings } from './settings.ts';
import { makePublisher, signedArchive, statementWith } from './testing/publisher.ts';

/**
 * Real adapters: archive, signature, folder and HTTP. The programs are a server of a few lines, and a systemctl that
 * starts the version that is current.
 */
const platform = `${process.platform}-${process.arch}`;
const unit = 'boxgate-box.service';
const publisher = makePublisher();
const oldPath = process.env.PATH;
let root = '';
let settings: UpdateSettings;

before(() => {
  root = temporaryFolder();
  for (const name of ['bin', 'state', 'software']) mkdirSync(join(root, name));
  writeFileSync(join(root, 'bin/systemctl'), systemctl(), { mode: 0o755 });
  writeFileSync(join(root, 'key.pem'), publisher.key);
  process.env.PATH = `${join(root, 'bin')}:${oldPath}`;
  settings = {
    releaseFeed: pathToFileURL(join(root, 'release.json')).href,
    releaseKey: join(root, 'key.pem'),
    stateDir: join(root, 'state'),
    softwareDir: join(root, 'software'),
    unit: null,
    updateWaitSeconds: 1,
  };
  writeVersion(join(root, 'software'), '1.0.0', '1.0.0');
  symlinkSync('1.0.0', join(root, 'software/current'));
  execFileSync('systemctl', ['restart', unit]);
});
after(() => {
  execFileSync('systemctl', ['stop', unit]);
  process.env.PATH = oldPath;
});

/** The main process is the only state. When `restart` ends, the server has written running.json. */
function systemctl(): string {
  return `#!/bin/sh
pid=${root}/pid running=${root}/state/running.json
case "$*" in
  *reset-failed*) exit 0 ;;
  *show*gateway*) echo ActiveState=inactive ;;
  *show*)
    printf 'ActiveState=active\\nMainPID=%s\\n' "$(cat "$pid")"
    echo 'ExecStart={ path=${root}/software/current/bin/boxgate ; }' ;;
  *) kill "$(cat "$pid")" 2>/dev/null; rm -f "$running" ;;
esac
case "$*" in
  *restart*)
    ${root}/software/current/bin/boxgate box serve </dev/null >/dev/null 2>&1 &
    echo $! >"$pid"
    until [ -e "$running" ]; do sleep 0.05; done ;;
esac
`;
}

/** A version of a few files, whose server answers as `answersAs`. */
function writeVersion(folder: string, version: string, answersAs: string): void {
  mkdirSync(join(folder, version, 'bin'), { recursive: true });
  writeFileSync(join(folder, version, 'package.json'), JSON.stringify({ name: 'boxgate', version }));
  const script = `#!${process.execPath}
const { renameSync, writeFileSync } = require('node:fs');
if (process.argv.includes('--help')) process.exit(0);
const server = require('node:http').createServer((request, response) => {
  response.writeHead(200, { server: 'boxgate/${answersAs}' }).end();
});
server.listen(0, '127.0.0.1', () => {
  const address = 'http://127.0.0.1:' + server.address().port;
  const running = { address, version: '${answersAs}', unit: '${unit}', pid: process.pid };
  writeFileSync('${root}/state/new', JSON.stringify(running));
  renameSync('${root}/state/new', '${root}/state/running.json');
});
`;
  writeFileSync(join(folder, version, 'bin/boxgate'), script, { mode: 0o755 });
}

function publish(version: string, answersAs = version): void {
  const top = `boxgate-${version}-${platform}`;
  const folder = join(root, 'release');
  rmSync(folder, { recursive: true, force: true });
  writeVersion(folder, version, answersAs);
  const archive = join(root, `${top}.tar.gz`);
  execFileSync('tar', ['-C', folder, `--transform=s,^${version},${top},`, '-czf', archive, version]);
  const files = ['package.json', 'bin/boxgate'].map((name) => statSync(join(folder, version, name)).size);
  const day = 24 * 60 * 60 * 1000;
  const statement = statementWith({
    version,
    platform,
    sha256: createHash('sha256').update(readFileSync(archive)).digest('hex'),
    size: statSync(archive).size,
    unpacked_size: files.reduce((sum, size) => sum + size, 0),
    issued: new Date(Date.now() - day).toISOString(),
    expires: new Date(Date.now() + day).toISOString(),
  });
  const entry = signedArchive(publisher, statement, { url: `${top}.tar.gz` });
  writeFileSync(join(root, 'release.json'), JSON.stringify({ version, archives: { [platform]: entry } }));
}

const apply = (version: string) => updateApplyCommand(boxProduct, settings, version, undefined);
const versions = () => readdirSync(join(root, 'software')).sort();
const state = () => JSON.parse(readFileSync(join(root, 'state/update-state.json'), 'utf8'));

/** choice/box/365 */
describe('an update with real files and processes', () => {
  test('is announced with its changelog', async () => {
    publish('2.0.0');
    const { text } = await updateCheckCommand('box', settings, '1.0.0');
    assert.equal(text, 'version 1.0.0 runs; version 2.0.0 is available\nchangelog: https://example.org/changelog');
  });

  test('installs the new version, which answers', async () => {
    assert.deepEqual(await apply('1.0.0'), { status: 0, text: 'done: version 2.0.0 runs' });
    assert.deepEqual(versions(), ['1.0.0', '2.0.0', 'current']);
    const { address } = JSON.parse(readFileSync(join(root, 'state/running.json'), 'utf8'));
    assert.equal((await fetch(address)).headers.get('server'), 'boxgate/2.0.0');
    const { from, to, outcome, bytes, bytes_total } = state();
    assert.deepEqual([from, to, outcome], ['1.0.0', '2.0.0', 'updated']);
    assert.equal(bytes, bytes_total);
  });

  test('goes back when the new version answers as another', async () => {
    publish('3.0.0', '9.9.9');
    const { status, text } = await apply('2.0.0');
    assert.equal(status, 1);
    assert.match(text, /^rolled back: version 3\.0\.0 answers as "boxgate\/9\.9\.9"; journalctl/);
    assert.deepEqual(versions(), ['1.0.0', '2.0.0', 'current']);
    const { address } = JSON.parse(readFileSync(join(root, 'state/running.json'), 'utf8'));
    assert.equal((await fetch(address)).headers.get('server'), 'boxgate/2.0.0');
    assert.equal(state().outcome, 'reverted');
    assert.ok(!existsSync(join(root, 'software/.rollback')));
  });
});
