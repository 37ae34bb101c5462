import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { runSuite, startSuite } from '../support/conformance-run.ts';
import { docker } from '../support/programs/docker.ts';
import { registry } from '../support/programs/registry.ts';
import { isComplete } from '../support/random.ts';
import { until } from '../support/until.ts';

/**
 * Runs the checks that use engine or service manager on real ones, inside a systemd of its own. The suite must remove
 * everything that it made and nothing else.
 */
const topics = [
  'applySelfUpdate', 'compose', 'dotenv', 'installApp', 'process', 'properties/values-arrive', 'reconcile',
  'reinstall', 'removeApp', 'trash', 'updateApp', 'updateAppSettings',
]; // biome-ignore format: a table
const real = ['--docker', 'real', '--systemd', 'real'];
/** The selection for `.ci/run`: checks whose outcome depends most on engine and service manager. */
const chosen = [
  'applySelfUpdate/dispatches', 'applySelfUpdate/outlives-the-server', 'compose/own-project', 'dotenv/values-come-back',
  'installApp/copies-writes-starts', 'reconcile/actions', 'reconcile/projects-of-others', 'reconcile/starts-what-stopped',
  'reinstall/edit-is-kept', 'removeApp/brings-down-and-deletes', 'updateApp/newer-image', 'updateApp/pull-fails',
  'updateAppSettings/recreates-for-new-values',
]; // biome-ignore format: a table
const only = (isComplete ? topics : chosen).flatMap((id) => ['--only', `box/${id}`]);

const stranger = 'somebody-elses';
before(() => {
  docker('run', '-d', '--name', stranger, '--network', 'none', `${registry}/web:1`);
  docker('volume', 'create', stranger);
});
after(() => {
  docker('rm', '-f', stranger);
  docker('volume', 'rm', stranger);
});

/** All objects of the engine, and all units that a run could leave behind. */
function everything(): string[] {
  const units = spawnSync('systemctl', ['list-units', '--all', '--plain', '--no-legend', '*conformance*'], {
    encoding: 'utf8',
  });
  // Docker lists equal items in no fixed order.
  return [
    docker('ps', '-a', '--no-trunc', '--format', '{{.ID}} {{.Names}} {{.State}}'),
    docker('network', 'ls', '--no-trunc', '--format', '{{.ID}} {{.Name}}'),
    docker('volume', 'ls', '--format', '{{.Name}}'),
    docker('image', 'ls', '-a', '--no-trunc', '--format', '{{.ID}} {{.Repository}}:{{.Tag}}'),
    units.stdout,
  ].flatMap((lines) => lines.split('\n').sort());
}

test('our box holds the suite on real parts, and leaves them as they were', { timeout: 1_800_000 }, async () => {
  const found = everything();
  const { status, counts, broken, notApplicable } = await runSuite('box', [...real, ...only]);
  assert.deepEqual(broken, []);
  assert.equal(status, 0);
  for (const reason of notApplicable) assert.match(reason, /^needs a fake: |^port 7000 /);
  const [mostNotApplicable, leastPassed] = isComplete ? [30, 90] : [3, 10];
  assert.ok((counts['not-applicable'] ?? 0) <= mostNotApplicable, JSON.stringify(counts));
  assert.ok((counts.pass ?? 0) >= leastPassed, JSON.stringify(counts));
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
