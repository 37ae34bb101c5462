import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { boxConformanceSettings, gatewayConformanceSettings, readConformanceOptions } from './conformance-settings.ts';
import { readFlags } from './setting.ts';
import { problemOf } from './testing/problem-of.ts';

const folder = temporaryFolder();

const settingsOf = { box: boxConformanceSettings, gateway: gatewayConformanceSettings };

function read(api: 'box' | 'gateway', args: string[], env: Record<string, string> = {}) {
  const settings = settingsOf[api];
  return readConformanceOptions(settings, { flags: readFlags(args, settings).flags, env });
}

test('takes stand-ins unless real parts are asked for, by flag or by variable', () => {
  assert.deepEqual(read('box', []), {});
  assert.deepEqual(read('box', ['--docker', 'real']), { docker: 'real' });
  const env = { CONFORMANCE_DOCKER: 'real', CONFORMANCE_SYSTEMD: 'real' };
  assert.deepEqual(read('box', ['--docker', 'stand-in'], env), { docker: 'stand-in', systemd: 'real' });
});

test('takes a flag of several words from a variable too', () => {
  assert.deepEqual(read('box', [], { CONFORMANCE_RERUN_FAILED: '/last.json' }), { rerunFailed: '/last.json' });
});

test('takes the password of a tunnel manager from a variable or a file, and from nowhere else', () => {
  const url = 'http://127.0.0.1:51821';
  const password = { CONFORMANCE_TUNNEL_PASSWORD: 'p' };
  assert.deepEqual(read('gateway', ['--tunnel', url], password), { tunnel: url, tunnelPassword: 'p' });
  const file = join(folder, 'password');
  writeFileSync(file, 'from the file\n');
  const env = { CONFORMANCE_TUNNEL: url, CONFORMANCE_TUNNEL_USERNAME: 'warden' };
  assert.deepEqual(read('gateway', [], { ...env, CONFORMANCE_TUNNEL_PASSWORD_FILE: file }), {
    tunnel: url,
    tunnelUsername: 'warden',
    tunnelPassword: 'from the file',
  });
  assert.deepEqual(read('gateway', [], password), {}, 'without an address it is of no use');
});

test('takes the address of a store that holds a password from the variable only', () => {
  const store = 'postgres://someone:secret@127.0.0.1:5432/x';
  assert.deepEqual(read('gateway', [], { CONFORMANCE_STORE: store }), { store });
  const open = 'postgres://127.0.0.1/x';
  assert.deepEqual(read('gateway', ['--store', open]), { store: open });
  assert.match(
    problemOf(() => read('gateway', ['--store', store])),
    /^(?!.*secret).*CONFORMANCE_STORE/,
  );
});

const wrong: [api: 'box' | 'gateway', args: string[], names: RegExp][] = [
  ['box', ['--docker', 'podman'], /^--docker: expected stand-in or real/],
  ['box', ['--systemd', ''], /^--systemd: expected stand-in or real/],
  ['box', ['--tunnel', 'http://x'], /--tunnel/],
  ['gateway', ['--docker', 'real'], /--docker/],
  ['gateway', ['--tunnel', 'localhost:80'], /^--tunnel: expected http/],
  ['gateway', ['--tunnel', 'http://admin:secret@x'], /^--tunnel: [^@]*CONFORMANCE_TUNNEL_PASSWORD$/],
  ['gateway', ['--tunnel', 'http://127.0.0.1:1'], /^CONFORMANCE_TUNNEL_PASSWORD is not set$/],
];
for (const [api, args, names] of wrong) {
  test(`refuses ${args.join(' ').replace(/:[^:]*@/, ':…@')} for the ${api}`, () => {
    assert.match(
      problemOf(() => read(api, args)),
      names,
    );
  });
}
