import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { create, listClients, logIn, type Subject, subjects } from '../../../fakes/wg-easy/contract-subject.ts';
import { runSuite } from '../support/conformance-run.ts';

/**
 * Runs the gateway's suite on a tunnel manager that the suite did not start: the fake in a process of its own, with a
 * peer that the suite must not touch.
 */
const topics = [
  'deregisterBox', 'limits', 'model', 'registerBox', 'route-files', 'tunnel', 'tunnel-failures',
]; // biome-ignore format: a table
const only = topics.flatMap((topic) => ['--only', `gateway/${topic}`]);

const password = 'of-somebody-else';
const program = join(import.meta.dirname, '..', '..', '..', 'fakes', 'wg-easy', 'main.ts');
const manager = spawn(process.execPath, [program, '--dialect', '15.4', '--username', 'warden'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, WG_EASY_PASSWORD: password },
});
after(() => manager.kill());

let url = '';
let theirs: Subject;
let cookie = '';
before(async () => {
  const [line] = await once(createInterface(manager.stdout), 'line');
  url = String(line).replace('listening on ', '');
  Object.assign(process.env, {
    BOXGATE_WGEASY_URL: url,
    BOXGATE_WGEASY_DIALECT: '15.4',
    BOXGATE_WGEASY_USERNAME: 'warden',
    BOXGATE_WGEASY_PASSWORD: password,
  });
  const [subject] = subjects();
  assert.ok(subject !== undefined);
  theirs = await subject.open();
  cookie = await logIn(theirs);
  await create(theirs, cookie, 'somebody’s laptop');
});

test('our gateway holds the suite on somebody else’s manager, and leaves it as it was', {
  timeout: 1_200_000,
}, async () => {
  const found = await listClients(theirs, cookie);
  const flags = ['--tunnel', url, '--tunnel-username', 'warden', ...only];
  const { status, counts, broken, notApplicable } = await runSuite('gateway', flags, {
    CONFORMANCE_TUNNEL_PASSWORD: password,
    CONFORMANCE_STORE: '',
  });
  assert.deepEqual(broken, []);
  assert.equal(status, 0);
  for (const reason of notApplicable) assert.match(reason, /^needs a fake: |^port 8080 /);
  assert.ok((counts['not-applicable'] ?? 0) <= 28, JSON.stringify(counts));
  assert.ok((counts.pass ?? 0) >= 40, JSON.stringify(counts));
  assert.deepEqual(await listClients(theirs, cookie), found);
});
