import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { runSuite, startSuite } from './conformance-run.ts';
import { docker } from './docker.ts';
import { registry } from './registry.ts';
import { until } from './until.ts';

/**
 * The suite of the box on the real engine and the real service manager, inside a systemd of its own: what has to do
 * with the one or the other. Nothing of it stays, and nothing that was there before goes.
 */
const topics = [
  'applySelfUpdate', 'compose', 'dotenv', 'installApp', 'process', 'properties/values-arrive', 'published-ports',
  'reconcile', 'reinstall', 'removeApp', 'trash', 'updateApp', 'updateAppSettings',
]; // biome-ignore format: a table
const real = ['--docker', 'real', '--systemd', 'real'];
const only = topics.flatMap((topic) => ['--only', `box/${topic}`]);

const stranger = 'somebody-elses';
before(() => {
  docker('run', '-d', '--name', stranger, '--network', 'none', `${registry}/web:1`);
  docker('volume', 'create', stranger);
});
after(() => {
  docker('rm', '-f', stranger);
  docker('volume', 'rm', stranger);
});

/** All that an engine keeps, and the units of the manager that a run can leave. */
function everything(): string[] {
  const units = spawnSync('systemctl', ['list-units', '--all', '--plain', '--no-legend', '*conformance*'], {
    encoding: 'utf8',
  });
  // Equals stand in no order of their own.
  return [
    docker('ps', '-a', '--no-trunc', '--format', '{{.ID}} {{.Names}} {{.State}}'),
    docker('network', 'ls', '--no-trunc', '--format', '{{.ID}} {{.Name}}'),
    docker('volume', 'ls', '--format', '{{.Name}}'),
    docker('image', 'ls', '-a', '--no-trunc', '--format', '{{.ID}} {{.Repository}}:{{.Tag}}'),
    units.stdout,
  ].flatMap((lines) => lines.split('\n').sort());
}

test('our box holds the suite on real parts, and leaves them as they were', {
  timeout: 1_800_000,
}, async () => {
  const found = everything();
  const { status, counts, broken, notApplicable } = await runSuite('box', [...real, ...only]);
  assert.deepEqual(broken, []);
  assert.equal(status, 0);
  for (const reason of notApplicable) assert.match(reason, /^needs a stand-in: |^port 7000 /);
  assert.ok((counts['not-applicable'] ?? 0) <= 30, JSON.stringify(counts));
  assert.ok((counts.pass ?? 0) >= 170, JSON.stringify(counts));
  assert.deepEqual(everything(), found);
});

test('a run that is ended by a signal takes away what it made', { timeout: 600_000 }, async () => {
  const found = everything();
  const { child, ended } = startSuite('box', [...real, '--only', 'box/properties/values-arrive']);
  await until('a container of it runs', () => {
    const own = docker('ps', '-q', '--filter', 'label=boxgate.conformance');
    assert.equal(child.exitCode, null, 'the run ended before');
    return own !== '';
  });
  child.kill('SIGTERM');
  assert.equal(await ended, 1);
  assert.deepEqual(everything(), found);
});
