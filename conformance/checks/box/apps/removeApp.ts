import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check, NotApplicable } from '../../../kernel/check.ts';
import { ensure, equal, fields, list, matches, pluck, record, refused, status } from '../../../kernel/expect.ts';
import { treeDigest } from '../../../kernel/tree.ts';
import { composeOf, library, manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { containersOf, installedFolder, isInstalled, runningContainer } from '../disk.ts';

const image = 'registry.example/quay:7';

export const checks: Check<BoxContext>[] = [
  check(
    'box/removeApp/brings-down-and-deletes',
    [
      'box/removeApp/1',
      'box/removeApp/2',
      'box/removeApp/3',
      'box/service/22',
      'box/service/23',
      'box/states/8',
      'box/states/9',
    ],
    'brings the containers down, deletes the directory and says so',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), envExample: 'A=1\n' });
      status(await box.install('quay'), 200);
      await runningContainer(box, 'quay');
      const answer = await box.remove('quay');
      status(answer, 200);
      equal('containers', await containersOf(box, 'quay'), []);
      ensure('the directory is gone', !isInstalled(box, 'quay'));
      const { removed, compose_warning: warning } = record(answer);
      equal('removed', removed, 'quay');
      ensure('compose_warning is a text or null', warning === null || typeof warning === 'string', warning);
      equal('the installed list', (await box.get('/api/apps')).json, []);
      equal('the bundled list', pluck(list(await box.get('/api/bundled')), 'name'), ['quay']);
      refused(await box.remove('quay'), 404);
    },
  ),
  check(
    'box/removeApp/neighbours',
    ['box/service/22', 'box/service/23'],
    'leaves the other apps, their files and their containers alone',
    async (box) => {
      for (const name of ['quay', 'quay2', 'quay-b']) box.environment.bundle({ name, manifest: manifest(name) });
      for (const name of ['quay', 'quay2', 'quay-b']) status(await box.install(name), 200);
      const others = ['quay2', 'quay-b'];
      const before = others.map((name) => treeDigest(installedFolder(box, name)));
      const ids = [(await runningContainer(box, 'quay2')).id, (await runningContainer(box, 'quay-b')).id];
      status(await box.remove('quay'), 200);
      equal(
        'their files',
        others.map((name) => treeDigest(installedFolder(box, name))),
        before,
      );
      const after = [(await runningContainer(box, 'quay2')).id, (await runningContainer(box, 'quay-b')).id];
      equal('their containers', after, ids);
    },
  ),
  check(
    'box/removeApp/shutdown-fails',
    ['box/post-rules/5', 'box/post-rules/11', 'box/removeApp/1', 'box/removeApp/3', 'box/errors/3'],
    'deletes the directory although its containers cannot be removed, and says what went wrong',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      status(await box.install('quay'), 200);
      await box.environment.docker.setRunning(false);
      const answer = await box.remove('quay');
      status(answer, 200);
      ensure('the directory is gone', !isInstalled(box, 'quay'));
      const { removed, compose_warning: warning } = record(answer);
      equal('removed', removed, 'quay');
      ensure('compose_warning is a text', typeof warning === 'string' && warning !== '', warning);
    },
  ),
  check(
    'box/removeApp/down-fails',
    ['box/post-rules/5', 'box/post-rules/11', 'box/removeApp/3', 'box/errors/3'],
    'deletes the directory although the container tool fails, and passes its message on',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      status(await box.install('quay'), 200);
      await box.environment.docker.fail({ on: 'down', message: 'the mooring is stuck' });
      const answer = await box.remove('quay');
      status(answer, 200);
      ensure('the directory is gone', !isInstalled(box, 'quay'));
      matches('compose_warning', record(answer).compose_warning, /mooring is stuck/);
    },
  ),
  check('box/removeApp/images-stay', ['should/box/115'], 'deletes no image of the removed app', async (box) => {
    box.environment.bundle({ name: 'quay', manifest: manifest('quay'), compose: composeOf(image) });
    status(await box.install('quay'), 200);
    const before = await box.environment.docker.imageId(image);
    status(await box.remove('quay'), 200);
    equal('the image', await box.environment.docker.imageId(image), before);
  }),
  check(
    'box/removeApp/name',
    ['box/removeApp/4', 'box/errors/2'],
    'refuses a name that is missing, empty or not a string',
    async (box) => {
      for (const name of [undefined, '', null, 7, true, ['cairn'], {}]) {
        refused(await box.post('/api/apps/remove', { name }), 400, "missing or empty 'name' field");
      }
    },
    { shared: library },
  ),
  check(
    'box/removeApp/not-installed',
    ['box/removeApp/5', 'box/errors/7'],
    'is 404 for an app that is not installed, and deletes nothing',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      box.environment.placeInstalled({ name: 'anchor', manifest: manifest('anchor') });
      await box.get('/api/apps');
      const before = [treeDigest(box.environment.installedApps), treeDigest(box.environment.bundledApps)];
      for (const name of ['quay', 'nobody', 'Anchor', 'ANCHOR']) refused(await box.remove(name), 404);
      const impossible = [
        '.',
        '..',
        '../bundled',
        '../bundled/quay',
        ' anchor',
        'anchor ',
        'anchor\n',
        'anchor/',
        './anchor',
        '/',
        'a\u0000',
        'x'.repeat(300),
      ];
      for (const name of impossible) {
        const answer = await box.remove(name);
        // An impossible name may be reported as an invalid name.
        refused(answer, answer.status === 400 ? 400 : 404);
      }
      equal('all files', [treeDigest(box.environment.installedApps), treeDigest(box.environment.bundledApps)], before);
    },
  ),
  check(
    'box/removeApp/broken-manifest',
    ['box/states/8', 'box/service/23'],
    'removes an app whose manifest is unreadable or missing',
    async (box) => {
      box.environment.placeInstalled({ name: 'wreck', manifest: 'no JSON' });
      box.environment.placeInstalled({ name: 'hollow', manifest: null });
      status(await box.remove('hollow'), 200);
      ensure('the directory without a manifest is gone', !isInstalled(box, 'hollow'));
      const answer = await box.remove('wreck');
      status(answer, 200);
      fields('the answer', answer.json, { removed: 'wreck' });
      ensure('the directory is gone', !isInstalled(box, 'wreck'));
    },
  ),
  check(
    'box/removeApp/cannot-delete',
    ['box/removeApp/6', 'box/errors/9'],
    'answers 500 if the directory cannot be deleted',
    async (box) => {
      const folder = box.environment.placeInstalled({ name: 'quay', manifest: manifest('quay') });
      await box.get('/api/apps');
      await withImmutable(folder, async () => {
        refused(await box.remove('quay'), 500);
        ensure('the app is still there', existsSync(join(folder, 'manifest.json')));
      });
    },
  ),
  check(
    'box/trash/erased-at-once',
    ['box/process/8'],
    'keeps nothing of a removed app if it is configured to keep it for 0 days',
    async (box) => {
      await box.start({ env: { BOX_KEEP_REMOVED_DAYS: '0' } });
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), files: { 'unmistakable.txt': 'x' } });
      status(await box.install('quay'), 200);
      status(await box.remove('quay'), 200);
      const left = Object.keys(treeDigest(box.environment.root)).filter((path) => path.endsWith('unmistakable.txt'));
      equal('the places of the file', left, ['bundled/quay/unmistakable.txt']);
    },
  ),
];

/** Makes a folder that even root cannot delete or rename, if the file system supports that. */
async function withImmutable(folder: string, run: () => Promise<void>) {
  try {
    execFileSync('chattr', ['+i', folder], { stdio: 'ignore' });
  } catch {
    // Not every file system and user can do this.
    throw new NotApplicable('this machine cannot make a directory immutable (chattr +i)');
  }
  try {
    await run();
  } finally {
    execFileSync('chattr', ['-i', folder]);
  }
}
