import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { InvalidOption } from '../invalid-option.ts';
import { findDocker, readEndpoint } from './docker-client.ts';
import { findParts, needsOneJob } from './parts.ts';
import { findSystemd } from './service-manager.ts';

const folder = mkdtempSync(join(tmpdir(), 'boxgate-parts-'));
after(() => rmSync(folder, { recursive: true }));

/** A folder with one program, as a `PATH`. */
function pathWith(name: string, script: string): NodeJS.ProcessEnv {
  const bin = mkdtempSync(join(folder, 'bin-'));
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, name), 0o755);
  return { PATH: bin, HOME: folder };
}

/** A fake docker for the calls before a run. */
const plainDocker = (architecture: string) =>
  pathWith(
    'docker',
    `case "$1" in
      version) echo ${architecture} ;;
      compose) echo 'Docker Compose version v2' ;;
      context) echo unix:///run/of-the-context.sock ;;
    esac`,
  );

test('finds the engine that the environment names, or else that of the context', async () => {
  const env = plainDocker('amd64');
  assert.deepEqual((await findDocker(env)).endpoint, { path: '/run/of-the-context.sock' });
  const named = await findDocker({ ...env, DOCKER_HOST: 'tcp://127.0.0.1:2375' });
  assert.deepEqual(named.endpoint, { host: '127.0.0.1', port: 2375 });
});

const missing: [what: string, env: NodeJS.ProcessEnv, says: RegExp][] = [
  ['no docker', { PATH: folder }, /^no docker on PATH$/],
  ['no engine', pathWith('docker', 'echo cannot connect >&2; exit 1'), /^--docker: no engine answers: [^\n]+$/],
  ['no Compose', pathWith('docker', '[ "$1" = version ] && echo amd64'), /^--docker: docker has no Compose plugin/],
  ['an engine without images', plainDocker('s390x'), /^--docker: no images for an engine on s390x$/],
];
for (const [what, env, says] of missing) {
  test(`reports in one line that there is ${what}`, async () => {
    const isWrong = (error: unknown) => error instanceof InvalidOption && says.test(error.message);
    await assert.rejects(findDocker(env), isWrong);
  });
}

test('accepts sockets and ports only', () => {
  for (const address of ['ssh://host', 'npipe:////./pipe/x', '', 'tcp://host', 'unix://relative'])
    assert.throws(() => readEndpoint(address), InvalidOption, address);
});

test('reports in one line that no service manager answers', () => {
  const { PATH = '' } = pathWith('systemd-run', 'exit 0');
  writeFileSync(join(PATH, 'systemctl'), '#!/bin/sh\necho offline >&2\nexit 1\n', { mode: 0o755 });
  const isWrong = (error: unknown) =>
    error instanceof InvalidOption && /^--systemd: no manager answers: [^\n]+$/.test(error.message);
  assert.throws(() => findSystemd({ PATH }), isWrong);
  assert.throws(() => findSystemd({ PATH: folder }), /no systemd-run on PATH/);
});

test('uses no real part by default, and runs one environment at a time only for shared parts', async () => {
  assert.deepEqual(await findParts({ docker: 'stand-in', systemd: 'stand-in' }), {});
  assert.equal(needsOneJob({}), false);
  assert.equal(needsOneJob({ systemd: { systemdRun: '/x', systemctl: '/y' } }), true);
  assert.equal(needsOneJob({ docker: await findDocker(plainDocker('arm64')) }), true);
});
