import { watch } from 'node:fs';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, list, status } from '../../../kernel/expect.ts';
import { treeDigest } from '../../../kernel/tree.ts';
import { manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { env, installedFolder, isInstalled, runningContainer } from '../disk.ts';

/** So many files that a copy or a removal file by file takes longer than a kill. */
const bundleOf = (version: string) => ({
  name: 'quay',
  manifest: manifest('quay', { version }),
  envExample: 'A=example\n',
  files: Object.fromEntries(Array.from({ length: 800 }, (_, index) => [`f${index}`, `${version} of ${index}`])),
});

/** The texts of a folder's bundled files. */
const bundledFiles = (folder: string) =>
  Object.fromEntries(Object.entries(treeDigest(folder)).filter(([name]) => isBundled.test(name)));
const isBundled = /^(f\d+|manifest\.json|(docker-)?compose\.ya?ml)$/;

type Place = { folder: string; name: RegExp };

/** Begins a change, kills the box when the first of these names changes, and starts it again. */
async function killAtFirstChange(box: BoxContext, places: readonly Place[], change: () => Promise<unknown>) {
  const { promise: seen, resolve } = Promise.withResolvers<void>();
  const watchers = places.map(({ folder, name }) =>
    watch(folder, (_, changed) => {
      if (!name.test(changed ?? '')) return;
      box.subject().signal('SIGKILL');
      resolve();
    }),
  );
  await Promise.race([seen, change().catch(() => undefined)]);
  for (const watcher of watchers) watcher.close();
  await box.kill();
  await box.start();
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/changes/install-killed-at-first-file',
    ['should/box/67', 'should/box/518'],
    'has an app completely or not at all after a kill -9 when its directory appears, and installs it then',
    async (box) => {
      const expected = bundledFiles(box.environment.bundle(bundleOf('1.0.0')));
      const { installedApps } = box.environment;
      await box.get('/api/apps');
      await killAtFirstChange(box, [{ folder: installedApps, name: /^quay$/ }], () => box.install('quay'));
      ensure(
        'every listed app is whole',
        list(await box.get('/api/apps')).every((one) => one.ok === true),
      );
      if (isInstalled(box, 'quay')) equal('its files', bundledFiles(installedFolder(box, 'quay')), expected);
      status(await box.install('quay', { A: 'again' }), 200);
      equal('A in the container', (await runningContainer(box, 'quay')).env.A, 'again');
    },
    { requestMs: 15_000 },
  ),
  check(
    'box/changes/reinstall-killed-at-first-file',
    ['should/box/67', 'should/box/518'],
    'has the files of one version after a kill -9 when the first one, or the manifest, of a reinstall has changed',
    async (box) => {
      box.environment.bundle(bundleOf('1.0.0'));
      status(await box.install('quay', { A: 'mine' }), 200);
      const folder = installedFolder(box, 'quay');
      // An implementation may change the many files together and the manifest before or after them.
      for (const [version, name] of [
        ['2.0.0', /^f\d+$/],
        ['3.0.0', /^manifest\.json$/],
      ] as const) {
        const before = bundledFiles(folder);
        const after = bundledFiles(box.environment.bundle(bundleOf(version)));
        await killAtFirstChange(box, [{ folder, name }], () => box.install('quay'));
        equal('the files', bundledFiles(folder), bundledFiles(folder).f0 === before.f0 ? before : after);
        equal('A in .env', env(box, 'quay').A, 'mine');
      }
      status(await box.changeSettings('quay', { A: 'again' }), 200);
    },
    { requestMs: 15_000 },
  ),
  check(
    'box/changes/removal-killed-at-first-file',
    ['should/box/67', 'should/box/518'],
    'has an app completely or not at all after a kill -9 when its removal has deleted a file, and removes it then',
    async (box) => {
      const { installedApps } = box.environment;
      const expected = bundledFiles(box.environment.bundle(bundleOf('1.0.0')));
      status(await box.install('quay'), 200);
      const folder = installedFolder(box, 'quay');
      const places = [
        { folder: installedApps, name: /^quay$/ },
        { folder, name: /^(f\d+|manifest.json)$/ },
      ];
      await killAtFirstChange(box, places, () => box.remove('quay'));
      if (list(await box.get('/api/apps')).some((one) => one.name === 'quay')) {
        equal('its files', bundledFiles(folder), expected);
        status(await box.remove('quay'), 200);
      }
      ensure('it is gone', !isInstalled(box, 'quay'));
    },
    { requestMs: 15_000 },
  ),
];
