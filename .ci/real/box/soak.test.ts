import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { startWgEasy } from '../../../fakes/wg-easy/wg-easy.ts';
import { type AppFiles, startBox } from '../support/box.ts';
import { Gateway } from '../support/gateway.ts';
import { boxOf } from '../support/gateways.ts';
import { commandOf, openFiles, processTree, residentBytes } from '../support/processes.ts';
import { identity } from '../support/programs/docker.ts';
import { registry } from '../support/programs/registry.ts';
import { until } from '../support/until.ts';

const seconds = Number(process.env.BOXGATE_SOAK_SECONDS ?? 60);
const names = ['real-soak-0', 'real-soak-1', 'real-soak-2'];
const web: AppFiles = { compose: `services: { web: { image: "${registry}/web:1", env_file: .env } }` };

/** Open files and memory of a server. */
function footprint(pid: number) {
  return { files: openFiles(pid), bytes: residentBytes(pid) };
}

/**
 * Runs rounds for the whole time. At the end the server must use no more resources than after a third of the time,
 * and have no child process left.
 */
async function soak(t: TestContext, pid: number, round: (n: number) => Promise<void>): Promise<void> {
  const startedAt = Date.now();
  let n = 0;
  const roundsUntil = async (second: number) => {
    while (n < 6 || Date.now() < startedAt + second * 1000) {
      await round(n);
      n += 1;
    }
  };
  await roundsUntil(seconds / 3);
  const before = footprint(pid);
  await roundsUntil(seconds);
  // A box follows the engine's events for as long as it runs, in one process.
  const isLeft = (each: number) => each !== pid && !commandOf(each).includes('docker events ');
  await until('every other process that it started has ended', () => !processTree(pid).some(isLeft));
  const after = footprint(pid);
  t.diagnostic(`${n} rounds; resident ${before.bytes >> 20} MiB, then ${after.bytes >> 20} MiB`);
  // A few connections may be idle at either moment.
  assert.ok(after.files <= before.files + 4, `${before.files} open files, then ${after.files}`);
  assert.ok(after.bytes < before.bytes + 48 * 2 ** 20, `${before.bytes} bytes resident, then ${after.bytes}`);
}

describe(`${seconds} s of reads, changes and refusals`, { concurrency: true }, () => {
  test('leave no open file, no process and no container of a box behind', async (t) => {
    const box = await startBox(t, Object.fromEntries(names.map((name) => [name, web])));
    for (const name of names) assert.equal((await box.install(name, { A: '0' })).status, 200);
    await soak(t, box.process?.pid ?? 0, async (n) => {
      for (const path of ['/api/apps', '/api/bundled', '/api/apps/real-soak-0/settings', '/api/self/update/status']) {
        assert.equal((await box.get(path)).status, 200);
      }
      assert.equal((await box.get('/api/apps/real-none/settings')).status, 404);
      assert.equal((await box.post('/api/apps/install', [])).status, 400);
      const answer = await box.change(names[n % names.length] ?? '', { A: String(n % 2) });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    });
    const still = names.map(identity);
    for (const name of names) assert.equal(identity(name).length, 1);
    assert.equal((await box.change(names[0] ?? '', {})).status, 200);
    assert.deepEqual(names.map(identity), still);
  });

  test('leave no open file, no process, no peer and no route file of a gateway behind', async (t) => {
    const manager = await startWgEasy();
    // With a small heap, growth of memory is a leak and not uncollected garbage.
    const nodeOptions = '--max-old-space-size=32 --max-semi-space-size=1';
    const gateway = new Gateway({ manager, domain: 'example.org', nodeOptions });
    t.after(async () => {
      await gateway.kill();
      await manager.close();
      rmSync(gateway.folder, { recursive: true, force: true });
    });
    await gateway.start();
    const kept = boxOf(await gateway.register('kept'));
    await soak(t, gateway.process?.pid ?? 0, async (n) => {
      const box = boxOf(await gateway.register(`box ${n}`));
      const { body: route } = await gateway.as(box).publish(`soak-${n}`, 80);
      assert.equal((await gateway.as(kept).heartbeat()).status, 200);
      assert.equal((await gateway.as(box).list()).body.routes.length, 1);
      assert.equal((await gateway.as(kept).publish(`soak-${n}`, 80)).status, 409);
      assert.equal((await gateway.as({ ...box, token: 'nonsense' }).list()).status, 401);
      const rotated = await gateway.as(box).rotate();
      const again = gateway.as({ ...box, token: rotated.body.box_token });
      assert.equal((await again.unpublish(route.id)).status, 200);
      assert.equal((await again.deregister()).status, 200);
    });
    assert.deepEqual(await gateway.listBoxes(), [kept.id]);
    assert.deepEqual([...gateway.routeFiles().keys()], []);
    assert.equal(manager.clients().length, 1);
  });
});
