import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChangeEntry } from '../../lib/journal.ts';
import { ContainersFailed } from '../core.ts';
import { makeTestBox } from '../testing/test-box.ts';
import { makeBoxMetrics } from './metrics.ts';

/** The values of all metrics of boxgate, by name and labels. */
async function values({ text }: { text(): Promise<string> }): Promise<Map<string, number>> {
  const lines = (await text()).split('\n').filter((line) => line.startsWith('boxgate_'));
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]));
}

const install: ChangeEntry = {
  operation: 'install',
  subject: 'a-name-that-somebody-chose',
  by: '',
  outcome: 'ok',
  detail: '',
  durationMs: 1500,
};

test('choice/box/331: counts apps, changes and Docker, and names no app', async (t) => {
  const test = makeTestBox();
  t.after(test.dispose);
  test.installed('memos');
  test.installed('gitea');
  const metrics = makeBoxMetrics(test.box, '1.2.3');
  const before = await values(metrics);
  const apps = [...before].filter(([name]) => name.startsWith('boxgate_box_apps{'));
  assert.equal(
    apps.reduce((sum, [, count]) => sum + count, 0),
    2,
  );
  assert.equal(before.get('boxgate_box_docker_up'), 1);
  assert.equal(before.get('boxgate_box_changes_waiting'), 0);
  assert.equal(before.has('boxgate_box_last_reconcile_success'), false);
  assert.ok([...before.keys()].some((name) => name.startsWith('boxgate_box_info{version="1.2.3",')));

  await test.box.observer.look();
  await test.box.stopped.note('memos', 1);
  assert.equal((await values(metrics)).get('boxgate_box_apps{state="stopped_by_owner"}'), 1);
  metrics.changed(install);
  metrics.changed({ ...install, outcome: 'failed' });
  metrics.changed({ ...install, outcome: 'refused' });
  metrics.changed({ ...install, operation: 'remove' });
  const after = await values(metrics);
  assert.equal(after.get('boxgate_box_changes_total{operation="install",result="failed"}'), 1);
  assert.equal(after.get('boxgate_box_changes_total{operation="remove",result="ok"}'), 1);
  assert.equal(after.get('boxgate_box_change_duration_seconds_bucket{le="1",operation="install"}'), 0);
  assert.equal(after.get('boxgate_box_change_duration_seconds_bucket{le="2",operation="install"}'), 3);
  assert.equal(after.get('boxgate_box_last_reconcile_success'), 0, 'refused and remove are none');
  assert.equal(after.get('boxgate_box_last_reconcile_timestamp_seconds'), test.clock.now.getTime() / 1000);
  metrics.changed({ ...install, isPartial: true });
  assert.equal((await values(metrics)).get('boxgate_box_last_reconcile_success'), 0);
  metrics.changed(install);
  assert.equal((await values(metrics)).get('boxgate_box_last_reconcile_success'), 1);
  assert.doesNotMatch(await metrics.text(), /somebody-chose|memos|gitea/);
});

test('choice/box/331: concurrent scrapes ask Docker once', async (t) => {
  const test = makeTestBox();
  t.after(test.dispose);
  let listings = 0;
  const answered = Promise.withResolvers<void>();
  const observe = async () => {
    listings += 1;
    await answered.promise;
    return [];
  };
  const metrics = makeBoxMetrics({ ...test.box, containers: { ...test.box.containers, observe } }, '1.2.3');
  const scrapes = [values(metrics), values(metrics)];
  answered.resolve();
  for (const seen of await Promise.all(scrapes)) assert.equal(seen.get('boxgate_box_docker_up'), 1);
  assert.equal(listings, 1);
});

test('choice/box/331: shows a change under way, and Docker that does not answer', async (t) => {
  const test = makeTestBox();
  t.after(test.dispose);
  const stopped = async () => {
    throw new ContainersFailed('Docker is stopped', true);
  };
  const box = { ...test.box, containers: { ...test.box.containers, observe: stopped } };
  const metrics = makeBoxMetrics(box, '1.2.3');
  const end = Promise.withResolvers<void>();
  const change = box.changes.run(() => end.promise);
  const during = await values(metrics);
  assert.equal(during.get('boxgate_box_docker_up'), 0);
  assert.equal(during.get('boxgate_box_changes_waiting'), 1);
  end.resolve();
  await change;
  assert.equal((await values(metrics)).get('boxgate_box_changes_waiting'), 0);
});
