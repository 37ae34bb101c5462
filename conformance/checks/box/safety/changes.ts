import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, list, status } from '../../../kernel/expect.ts';
import { hasEnded, until } from '../../../kernel/observe.ts';
import { onlyOf, treeDigest } from '../../../kernel/tree.ts';
import { manifest, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { isInstalled, isRunning } from '../disk.ts';

/** Many files, so that a kill can fall between the first and the last. */
const manyFiles = Object.fromEntries(
  Array.from({ length: 400 }, (_, index) => [`d${index % 20}/f${index}`, `text ${index}`]),
);

export const checks: Check<BoxContext>[] = [
  check(
    'box/changes/removed-meanwhile',
    ['should/box/516'],
    'leaves nothing of an app whose removal and other changes come at the same time',
    async (box) => {
      placeInstalled(box, 'lagoon', 'anchor');
      status(await box.changeSettings('lagoon', {}), 200);
      await box.environment.docker.hang({ on: 'down', times: 1, ms: 10_000 });
      const removal = box.remove('lagoon');
      await until('the removal waits', async () => (await box.environment.docker.faultsFired()) > 0);
      const late = [box.changeSettings('lagoon', { NEW: 'n' }), box.updateApp('lagoon')];
      status(await box.get('/api/apps'), 200);
      await box.environment.docker.clearFaults();
      status(await removal, 200);
      await Promise.all(late);
      ensure('its directory is gone', !isInstalled(box, 'lagoon'));
      status(await box.changeSettings('anchor', {}), 200);
      equal('whether it runs', await isRunning(box, 'lagoon'), false);
    },
  ),
  check(
    'box/changes/removed-during-install',
    ['should/box/516'],
    'has an app completely or not at all if it is removed while its install waits for the container tool',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      await box.start();
      // Long enough for a removal that does not wait for the install.
      await box.environment.docker.hang({ on: 'pull', times: 1, ms: 500 });
      const install = box.install('quay');
      await until('the install waits', async () => (await box.environment.docker.faultsFired()) > 0);
      await Promise.all([install, box.remove('quay')]);
      equal('whether it runs', await isRunning(box, 'quay'), isInstalled(box, 'quay'));
    },
    { requestMs: 15_000 },
  ),
  check(
    'box/changes/reads-while-the-tool-hangs',
    ['should/box/517'],
    'answers the page, the lists, the settings view and the status while the container tool hangs',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      placeInstalled(box, 'anchor');
      await box.get('/api/apps');
      await box.environment.docker.hang({ on: 'pull', match: 'quay', times: 1, ms: 60_000 });
      // On a busy machine the reads take long, and the install must not be given up before.
      const asked = { method: 'POST', path: '/api/apps/install', body: { name: 'quay' }, timeoutMs: 60_000 };
      const install = box.request(asked);
      const isAnswered = hasEnded(install);
      await until('the install waits', async () => (await box.environment.docker.faultsFired()) > 0);
      for (const path of ['/', '/api/apps', '/api/bundled', '/api/apps/anchor/settings', '/api/self/update/status'])
        status(await box.get(path), 200);
      equal('whether the install had ended before', isAnswered(), false);
      await box.environment.docker.clearFaults();
      status(await install, 200);
    },
  ),
  ...[0, 20].map((delayMs) =>
    check<BoxContext>(
      `box/changes/removal-killed-after-${delayMs}-ms`,
      ['should/box/67', 'should/box/518'],
      'has an app completely or not at all after a kill -9 in its removal, and removes it then',
      async (box) => {
        const folder = box.environment.placeInstalled({ name: 'quay', manifest: manifest('quay'), files: manyFiles });
        status(await box.changeSettings('quay', {}), 200);
        const before = treeDigest(folder);
        void box.remove('quay').catch(() => undefined);
        // Not a synchronisation: varies the moment of the kill.
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        await box.kill();
        await box.start();
        const isListed = list(await box.get('/api/apps')).some((app) => app.name === 'quay');
        if (isListed) {
          equal('its files', onlyOf(before, treeDigest(folder)), before);
          status(await box.remove('quay'), 200);
        }
        ensure('it is gone', !isInstalled(box, 'quay'));
      },
    ),
  ),
];
