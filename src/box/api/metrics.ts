import type { ChangeEntry, Journal } from '../../lib/journal.ts';
import { makeServerMetrics } from '../../lib/server-metrics.ts';
import { shareWork } from '../../lib/share-work.ts';
import { listApps } from '../apps/list-apps.ts';
import { lastSuccesses } from '../backup/backup-problems.ts';
import type { ApiBox } from './api-box.ts';

const answerMs = 5000;
/** Changes that end with a reconcile. */
const reconciling: readonly string[] = ['install', 'configure', 'reconcile'];

/** The metrics of a box; loaded only when they are asked for. `changed` counts each change. choice/box/331 */
export function makeBoxMetrics(box: ApiBox, version: string) {
  const metrics = makeServerMetrics('box', version);
  let lastReconcile: { at: Date; isOk: boolean } | null = null;

  metrics.gauges('apps', 'Installed apps by state.', 'state', () => countStates(listApps(box)));
  metrics.gauge('changes_waiting', 'Changes that wait or are under way.', () => box.changes.waiting());
  // Each look starts processes. While Docker hangs, further scrapes wait for the first look.
  const dockerUp = shareWork(() =>
    box.containers.observe().then(
      () => 1,
      () => 0,
    ),
  );
  metrics.gauge('docker_up', '1 if Docker answers within five seconds, else 0.', () =>
    Promise.race([dockerUp(), zeroAfter(answerMs)]),
  );
  metrics.gauge(
    'last_reconcile_timestamp_seconds',
    'When apps were last brought in line; absent before the first time.',
    () => (lastReconcile === null ? null : lastReconcile.at.getTime() / 1000),
  );
  metrics.gauge(
    'last_reconcile_success',
    '1 if no app failed when apps were last brought in line, else 0; absent before the first time.',
    () => (lastReconcile === null ? null : Number(lastReconcile.isOk)),
  );

  metrics.gauges(
    'backup_last_success_timestamp_seconds',
    'When the latest good backup of each app was made; absent before the first.',
    'app',
    () => lastSuccesses(box),
  );

  const changed: Journal = (entry: ChangeEntry) => {
    metrics.changed(entry);
    if (!reconciling.includes(entry.operation) || entry.outcome === 'refused') return;
    lastReconcile = { at: box.now(), isOk: entry.outcome === 'ok' && !entry.isPartial };
  };
  const { registry } = metrics;
  return { changed, type: registry.contentType, text: () => registry.metrics() };
}

function zeroAfter(ms: number): Promise<number> {
  return new Promise((done) => {
    setTimeout(done, ms, 0).unref();
  });
}

/** Every state has a value, so that its line in a graph does not end when no app has the state. */
function countStates(apps: ReturnType<typeof listApps>): Map<string, number> {
  const counts = new Map(states.map((state) => [state, 0]));
  for (const { state = 'unknown', stopped_at: at } of apps as readonly { state?: string; stopped_at?: string }[]) {
    const counted = at === undefined ? state : 'stopped_by_owner';
    counts.set(counted, (counts.get(counted) ?? 0) + 1);
  }
  return counts;
}

const states: readonly string[] = [
  'running',
  'starting',
  'unhealthy',
  'restarting',
  'stopped',
  'stopped_by_owner',
  'not_started',
  'unknown',
];
