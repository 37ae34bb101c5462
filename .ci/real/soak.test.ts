import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AppFiles, startBox } from './box.ts';
import { identity } from './docker.ts';
import { openFiles, residentBytes, zombiesOf } from './processes.ts';
import { registry } from './registry.ts';
import { until } from './until.ts';

const seconds = Number(process.env.BOXGATE_SOAK_SECONDS ?? 60);
const names = ['real-soak-0', 'real-soak-1', 'real-soak-2'];
const web: AppFiles = { compose: `services: { web: { image: "${registry}/web:1", env_file: .env } }` };

test(`${seconds} s of reads, changes and refusals leave no open file, no process and no container behind`, async (t) => {
  const box = await startBox(t, Object.fromEntries(names.map((name) => [name, web])));
  for (const name of names) assert.equal((await box.install(name, { A: '0' })).status, 200);
  const pid = box.process?.pid ?? 0;
  const counts = { reads: 0, changes: 0, refusals: 0 };

  const round = async (n: number) => {
    for (const path of [
      '/api/apps',
      '/api/bundled',
      '/api/apps/real-soak-0/settings',
      '/api/self/update/status',
    ]) {
      assert.equal((await box.get(path)).status, 200);
      counts.reads += 1;
    }
    assert.equal((await box.get('/api/apps/real-none/settings')).status, 404);
    assert.equal((await box.post('/api/apps/install', [])).status, 400);
    counts.refusals += 2;
    const name = names[n % names.length] ?? '';
    const answer = await box.change(name, { A: String(n % 2) });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    counts.changes += 1;
  };

  for (let n = 0; n < 6; n += 1) await round(n);
  const before = { files: openFiles(pid), bytes: residentBytes(pid) };
  const end = Date.now() + seconds * 1000;
  for (let n = 6; Date.now() < end; n += 1) await round(n);

  const still = names.map(identity);
  for (const name of names) assert.equal(identity(name).length, 1);
  assert.equal((await box.change(names[0] ?? '', {})).status, 200);
  assert.deepEqual(names.map(identity), still);
  const after = { files: openFiles(pid), bytes: residentBytes(pid) };
  t.diagnostic(
    `${JSON.stringify(counts)}; resident ${before.bytes >> 20} MiB, then ${after.bytes >> 20} MiB`,
  );
  await until('every process that ended was waited for', () => zombiesOf(pid) === 0);
  // A few connections may be idle at either moment.
  assert.ok(after.files <= before.files + 4, `${before.files} open files, then ${after.files}`);
  assert.ok(after.bytes < before.bytes + 48 * 2 ** 20, `${before.bytes} bytes resident, then ${after.bytes}`);
});
