import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { BoxEnvironment } from '../../../../fakes/box-environment.ts';
import { spoiledReleases, unprovenReleases } from '../../../../fakes/release-faults.ts';
import type { ReleaseFaults } from '../../../../fakes/release-feed.ts';
import { type ReleaseServer, type ServerFault, serveReleases } from '../../../../fakes/release-server.ts';
import { type Check, check } from '../../../kernel/check.ts';
import { equal, matches } from '../../../kernel/expect.ts';
import type { BoxContext } from '../context.ts';
import { type Installation, installBox, isAsBefore, putVersion } from './installed-box.ts';

const newer = '987.0.0';

/** Tries to update to each release in turn. */
async function refusesAll(box: BoxContext, releases: readonly (readonly [string, ReleaseFaults])[]): Promise<void> {
  const installed = await installBox(box);
  for (const [release, faults] of releases) {
    box.environment.feed.publish(newer, faults);
    await installed.apply();
    await isAsBefore(installed, await installed.ended(), { release, outcome: 'unchanged' });
  }
}

/** Tries to update under each fault in turn. */
async function refusesOver(box: BoxContext, faults: readonly (readonly ['feed' | 'archive', ServerFault])[]) {
  box.environment.feed.publish(newer, { paddingBytes: 1_000_000 });
  await withServer(box, async (server) => {
    const installed = await installBox(box, { feed: server.url });
    for (const [what, fault] of faults) {
      server.fail(what, fault);
      await installed.apply();
      const release = `whose ${what} is ${fault}`;
      await isAsBefore(installed, await installed.ended(), { release, outcome: 'unchanged' });
      server.fail(what, 'none');
    }
  });
}

async function withServer(box: BoxContext, work: (server: ReleaseServer) => Promise<void>): Promise<void> {
  const server = await serveReleases(box.environment.feed.folder);
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

async function downloadsNothing(
  box: BoxContext,
  installation: Installation,
  prepare: (environment: BoxEnvironment) => void,
) {
  box.environment.feed.publish(newer);
  await withServer(box, async (server) => {
    const installed = await installBox(box, { ...installation, feed: server.url });
    prepare(box.environment);
    const before = installed.layout();
    await installed.apply();
    const { stage, outcome, reason } = await installed.ended();
    equal('stage and outcome', [stage, outcome], ['rolled_back', 'unchanged']);
    matches('reason', reason, /\S/);
    equal('the software folder', installed.layout(), before);
    const archives = server.requests().filter((path) => path !== '/feed.json');
    equal('requests for archives', archives, []);
  });
}

/** Updates that fail before the switch. The running version stays, and the new one is removed. */
export const checks: Check<BoxContext>[] = [
  check(
    'box/applySelfUpdate/unproven-releases',
    ['choice/box/133', 'choice/box/139', 'choice/box/355', 'choice/box/356', 'choice/box/357', 'choice/box/358'],
    'installs no release that its publisher has not signed, recently, for this platform',
    (box) => refusesAll(box, unprovenReleases),
    { timeoutMs: 120_000 },
  ),
  check(
    'box/applySelfUpdate/bad-entries',
    ['choice/box/133', 'choice/box/361', 'choice/box/372'],
    'installs no archive with links, devices, paths outside its folder, or more data than was signed',
    (box) =>
      refusesAll(
        box,
        spoiledReleases.filter(([, { badEntry }]) => badEntry !== undefined),
      ),
    { timeoutMs: 120_000 },
  ),
  check(
    'box/applySelfUpdate/spoiled-archives',
    ['choice/box/133', 'choice/box/139', 'choice/box/368', 'choice/box/372'],
    'installs only the signed archive, and only if it has the right version and runs',
    (box) =>
      refusesAll(
        box,
        spoiledReleases.filter(([, { badEntry }]) => badEntry === undefined),
      ),
    { timeoutMs: 120_000 },
  ),
  check(
    'box/applySelfUpdate/bad-feeds',
    ['choice/box/133', 'choice/box/360'],
    'ends an update if its feed is missing, endless, not JSON, or redirects to plain HTTP elsewhere',
    (box) =>
      refusesOver(box, [
        ['feed', 'gone'],
        ['feed', 'not found'],
        ['feed', 'endless'],
        ['feed', 'not JSON'],
        ['feed', 'redirect elsewhere'],
      ]),
    { timeoutMs: 90_000 },
  ),
  check(
    'box/applySelfUpdate/slow-feed',
    ['choice/box/133'],
    'ends an update if its feed is too slow',
    (box) => refusesOver(box, [['feed', 'slow']]),
    { timeoutMs: 90_000 },
  ),
  check(
    'box/applySelfUpdate/bad-downloads',
    ['choice/box/133', 'choice/box/360'],
    'ends an update if its archive is missing, endless, truncated, or elsewhere on plain HTTP',
    (box) =>
      refusesOver(box, [
        ['archive', 'gone'],
        ['archive', 'not found'],
        ['archive', 'endless'],
        ['archive', 'not JSON'],
        ['archive', 'redirect elsewhere'],
        ['archive', 'breaks off'],
      ]),
    { timeoutMs: 90_000 },
  ),
  check(
    'box/applySelfUpdate/no-service',
    ['choice/box/366'],
    'downloads nothing if the service that it would restart does not run',
    (box) => downloadsNothing(box, { unit: 'boxgate-no-such.service' }, () => undefined),
    { timeoutMs: 90_000 },
  ),
  check(
    'box/applySelfUpdate/other-layout',
    ['choice/box/366'],
    'downloads nothing if current does not point to the running version',
    (box) =>
      downloadsNothing(box, {}, ({ softwareDir }) => {
        putVersion(box, '0.0.3');
        rmSync(join(softwareDir, 'current'));
        symlinkSync('0.0.3', join(softwareDir, 'current'));
      }),
    { timeoutMs: 90_000 },
  ),
];
