import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { failingReleases } from '../../../../fakes/release-faults.ts';
import { type ReleaseServer, serveReleases } from '../../../../fakes/release-server.ts';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { BoxContext } from '../context.ts';
import { byHand } from '../disk.ts';
import { answersAs, type InstalledBox, installBox, isAsBefore, readState, type State } from './installed-box.ts';
import { holdingLock } from './lock.ts';

const newer = '987.0.0';
const stages = ['checking', 'downloading', 'verifying', 'staging', 'switching', 'restarting', 'health_check'];

/** Runs `work` while a download has stopped in its middle. The server continues it afterwards. */
async function whileDownloading(
  box: BoxContext,
  others: readonly string[],
  work: (installed: InstalledBox, server: ReleaseServer) => Promise<void>,
): Promise<void> {
  box.environment.feed.publish(newer, { paddingBytes: 1_000_000 });
  const server = await serveReleases(box.environment.feed.folder);
  try {
    server.fail('archive', 'trickles');
    const installed = await installBox(box, { feed: server.url, others });
    await installed.apply();
    await until('bytes come', () => Number(readState(box.environment.stateDir).bytes) > 0);
    await work(installed, server);
  } finally {
    await server.close();
  }
}

/** Polls the state until it is final. Returns all different states in order. */
async function followState(box: BoxContext): Promise<State[]> {
  const seen: State[] = [];
  await until(
    'the update ends',
    () => {
      const state = readState(box.environment.stateDir);
      if (JSON.stringify(state) !== JSON.stringify(seen.at(-1))) seen.push(state);
      return state.stage === 'done' || state.stage === 'rolled_back';
    },
    60_000,
  );
  return seen;
}

/** Kills the job without a chance to clean up. */
async function killJob(box: BoxContext, unit: unknown): Promise<void> {
  const shown = await byHand(box, 'systemctl', '/', 'show', '-p', 'MainPID', '--value', String(unit));
  process.kill(Number(shown), 'SIGKILL');
}

function isUpdated(installed: InstalledBox, end: State): void {
  const { version } = installed;
  const shown = [end.stage, end.outcome, end.from, end.to, end.reason];
  equal('stage, outcome, from, to and reason', shown, ['done', 'updated', version, newer, undefined]);
  equal('the software folder', installed.layout(), { names: [newer, 'current', version].sort(), current: newer });
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/applySelfUpdate/installs',
    ['choice/box/131', 'choice/box/132', 'choice/box/133', 'choice/box/136', 'choice/box/375'],
    'becomes the new version, keeps only the previous one, and shows each stage in a state that is always complete',
    async (box) => {
      await whileDownloading(box, ['0.0.1', '0.0.2'], async (installed, server) => {
        const state = await installed.state();
        equal('stage', state.stage, 'downloading');
        const { size } = statSync(join(box.environment.feed.folder, server.requests().at(-1) ?? ''));
        const { bytes, bytes_total: total, progress } = state;
        equal('bytes_total', total, size);
        ensure('bytes are a part of them', Number(bytes) > 0 && Number(bytes) < size, state);
        ensure('progress is the share', progress === Number(bytes) / size, state);
        equal('a second update', (await installed.ask('POST', '/api/self/update/apply')).status, 409);
        const asItWas = openSync(join(box.environment.stateDir, 'update-state.json'), 'r');
        const following = followState(box);
        server.resume();
        const seen = await following;
        const kept = JSON.parse(readFileSync(asItWas, 'utf8')) as State;
        closeSync(asItWas);
        equal('stage in a file that was opened before', kept.stage, 'downloading');
        const named = [...new Set(seen.map(({ stage }) => String(stage)))];
        equal(
          'the stages come in their order',
          named,
          [...stages, 'done'].filter((stage) => named.includes(stage)),
        );
        const times = new Set(seen.map(({ attempt, started_at: begun }) => `${attempt} ${begun}`));
        equal('one attempt', times.size, 1);
        const changelog = `https://releases.example/boxgate-${newer}`;
        equal('changelog', seen.at(-1)?.changelog, changelog);
        isUpdated(installed, await installed.ended());
        await answersAs(installed, newer);
      });
    },
    { timeoutMs: 90_000 },
  ),
  check(
    'box/applySelfUpdate/next-key',
    ['choice/box/359'],
    'installs a release that is signed by a key which its own key has announced, and by no other key',
    async (box) => {
      const installed = await installBox(box);
      const { feed } = box.environment;
      feed.changeKey();
      feed.publish(newer);
      await installed.apply();
      isUpdated(installed, await installed.ended());
    },
    { timeoutMs: 90_000 },
  ),
  check(
    'box/applySelfUpdate/change-first',
    ['choice/box/369'],
    'switches after the running change of an app has finished',
    async (box) => {
      const installed = await installBox(box);
      box.environment.feed.publish(newer);
      await holdingLock(
        box,
        async () => {
          await installed.apply();
          await until('the switch waits', () => readState(box.environment.stateDir).stage === 'switching');
          // Gives an implementation that does not wait time to show it. A correct one cannot be too slow
          // here.
          await pause(1000);
          equal('current meanwhile', installed.layout().current, installed.version);
        },
        'change.lock',
      );
      isUpdated(installed, await installed.ended());
    },
    { timeoutMs: 90_000 },
  ),
  check(
    'box/applySelfUpdate/killed',
    ['choice/box/135', 'choice/box/373'],
    'reports a killed update as interrupted, and starts none by itself',
    async (box) => {
      await whileDownloading(box, [], async (installed, server) => {
        const { attempt, unit } = await installed.state();
        await killJob(box, unit);
        const end = await installed.ended();
        equal('reason', end.reason, 'interrupted');
        equal('attempt', end.attempt, attempt);
        await isAsBefore(installed, end, { release: 'whose job was killed', outcome: 'unchanged' });
        server.resume();
        await installed.apply();
        isUpdated(installed, await installed.ended());
      });
    },
    { timeoutMs: 90_000 },
  ),
  ...failingReleases.map(([release, faults]) =>
    check<BoxContext>(
      `box/applySelfUpdate/release-${release.replaceAll(' ', '-')}`,
      ['choice/box/133', 'choice/box/371', 'choice/box/372'],
      `rolls back a version ${release}: the previous one runs again, and the state says why`,
      async (box) => {
        // Waiting for a version that never answers is pointless, but the restored version needs the time.
        const installed = await installBox(box, { waitSeconds: release.includes('answers') ? 3 : 60 });
        box.environment.feed.publish(newer, faults);
        await installed.apply();
        await isAsBefore(installed, await installed.ended(), { release, outcome: 'reverted' });
      },
      { timeoutMs: 90_000 },
    ),
  ),
];
