import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Check, check, NotApplicable } from '../../../kernel/check.ts';
import { ensure, equal, matches, record, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { treeDigest } from '../../../kernel/tree.ts';
import { composeOf, manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { byHand, containersOf, installedFolder, isInstalled, runningContainer } from '../disk.ts';

/** The places of files with this name below a folder, except the bundle. */
function placesOf(folder: string, name: string): string[] {
  return Object.keys(treeDigest(folder)).filter((path) => path.endsWith(name) && !path.startsWith('bundled'));
}

/** Creates an empty folder in another one, if that exists. */
function folderIn(parent: string): string {
  try {
    return mkdtempSync(join(parent, 'boxgate-state-'));
  } catch {
    throw new NotApplicable(`nobody can make a folder in ${parent}`);
  }
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/trash/kept',
    ['choice/box/116', 'choice/box/117'],
    'keeps the removed directory in a private folder below the state directory',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), files: { 'unmistakable.txt': 'x' } });
      status(await box.install('quay'), 200);
      status(await box.remove('quay'), 200);
      const [place = ''] = placesOf(box.environment.stateDir, 'unmistakable.txt');
      matches('the file in the state directory', place, /unmistakable\.txt$/);
      const [top = ''] = place.split('/');
      equal('the mode of the trash', (lstatSync(join(box.environment.stateDir, top)).mode & 0o777).toString(8), '700');
      equal('the installed-apps directory', readdirSync(box.environment.installedApps), []);
    },
  ),
  check(
    'box/trash/on-another-file-system',
    ['choice/box/117', 'choice/box/116'],
    'keeps the removed directory in a private folder next to the installed apps if the state is on another file system',
    async (box) => {
      const { dev } = statSync(box.environment.root);
      const places = ['/dev/shm', tmpdir(), '/var/tmp'];
      const other = places.find((place) => (statSync(place, { throwIfNoEntry: false })?.dev ?? dev) !== dev);
      if (other === undefined) throw new NotApplicable(`there is no second file system at ${places.join(', ')}`);
      const stateDir = folderIn(other);
      try {
        await box.start({ env: { BOX_STATE_DIR: stateDir } });
        box.environment.bundle({ name: 'quay', manifest: manifest('quay'), files: { 'unmistakable.txt': 'x' } });
        status(await box.install('quay'), 200);
        status(await box.remove('quay'), 200);
        equal('the file in the state directory', placesOf(stateDir, 'unmistakable.txt'), []);
        const [place = '', ...more] = placesOf(box.environment.root, 'unmistakable.txt');
        equal('its places beside the apps', [place !== '', more], [true, []]);
        const parts = place.split('/').slice(0, -1);
        const folders = parts.map((_, index) => join(box.environment.root, ...parts.slice(0, index + 1)));
        const isPrivate = (folder: string) => (lstatSync(folder).mode & 0o77) === 0;
        ensure('a folder on the way is private', folders.some(isPrivate), folders);
        equal('the apps that are listed', (await box.get('/api/apps')).json, []);
        await box.stop();
        await box.start({ env: { BOX_STATE_DIR: stateDir, BOX_KEEP_REMOVED_DAYS: '0' } });
        await until('the file is erased', () => {
          try {
            return placesOf(box.environment.root, 'unmistakable.txt').length === 0;
          } catch {
            return false; // The box erased a file during the walk.
          }
        });
      } finally {
        await box.kill().finally(() => rmSync(stateDir, { recursive: true, force: true }));
      }
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
      equal('the file anywhere', placesOf(box.environment.root, 'unmistakable.txt'), []);
    },
  ),
  check(
    'box/trash/works-always',
    ['choice/box/119'],
    'removes an app with the engine stopped, without a manifest or with an unreadable Compose file, and says what is left',
    async (box) => {
      box.environment.placeInstalled({ name: 'empty', manifest: null, compose: null });
      box.environment.placeInstalled({ name: 'torn', manifest: manifest('torn'), compose: 'services: [what\n' });
      box.environment.placeInstalled({ name: 'quay', manifest: manifest('quay') });
      const torn = await box.remove('torn');
      status(torn, 200);
      ensure('a warning', typeof record(torn).compose_warning === 'string', torn.json);
      const empty = await box.remove('empty');
      status(empty, 200);
      equal('what there is to say of an app that has no Compose file', record(empty).compose_warning, null);
      await box.environment.docker.setRunning(false);
      const answer = await box.remove('quay');
      status(answer, 200);
      ensure('a warning', typeof record(answer).compose_warning === 'string', answer.json);
      ensure('all are gone', !['empty', 'torn', 'quay'].some((name) => isInstalled(box, name)));
      ensure('the directory of apps stays', existsSync(box.environment.installedApps));
    },
  ),
  check(
    'box/trash/without-compose-file',
    ['choice/box/119'],
    'removes exactly the containers of an app whose Compose file is missing or unreadable, and says so',
    async (box) => {
      for (const name of ['quay', 'reef', 'moor']) box.environment.bundle({ name, manifest: manifest(name) });
      for (const name of ['quay', 'reef', 'moor']) status(await box.install(name), 200);
      const kept = await runningContainer(box, 'moor');
      rmSync(join(installedFolder(box, 'quay'), 'compose.yaml'));
      writeFileSync(join(installedFolder(box, 'reef'), 'compose.yaml'), 'services: [what\n');
      for (const name of ['quay', 'reef']) {
        const answer = await box.remove(name);
        status(answer, 200);
        equal(`containers of ${name}`, await containersOf(box, name), []);
        ensure(`${name} is gone`, !isInstalled(box, name));
        ensure('a warning', typeof record(answer).compose_warning === 'string', answer.json);
      }
      equal('the container of the third app', (await runningContainer(box, 'moor')).id, kept.id);
      ensure('no network of theirs', !(await box.environment.docker.networks()).some((name) => /quay|reef/.test(name)));
    },
  ),
  check(
    'box/trash/one-by-one',
    ['choice/box/119'],
    'removes the containers of an app one by one if Compose cannot, and no others, and says so',
    async (box) => {
      for (const name of ['quay', 'moor']) box.environment.bundle({ name, manifest: manifest(name) });
      for (const name of ['quay', 'moor']) status(await box.install(name), 200);
      const kept = await runningContainer(box, 'moor');
      await box.environment.docker.fail({ on: 'down' });
      const answer = await box.remove('quay');
      status(answer, 200);
      equal('containers', await containersOf(box, 'quay'), []);
      ensure('a warning', typeof record(answer).compose_warning === 'string', answer.json);
      equal('the container of the other app', (await runningContainer(box, 'moor')).id, kept.id);
    },
  ),
  check(
    'box/trash/orphans-and-profiles',
    ['choice/box/119'],
    'removes the services of profiles, and those that the Compose file no longer has',
    async (box) => {
      const web = composeOf('registry.example/quay:1');
      const night = '  night:\n    image: registry.example/night:1\n    profiles: [dark]\n';
      const files = [`${web}${night}`, `${web}${night}  old:\n    image: registry.example/old:1\n`];
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), compose: files[0] ?? '' });
      status(await box.install('quay'), 200);
      const folder = installedFolder(box, 'quay');
      for (const text of files.reverse()) {
        writeFileSync(join(folder, 'compose.yaml'), box.environment.composeText(text));
        await byHand(box, 'docker', folder, 'compose', '--profile', 'dark', 'up', '-d');
      }
      equal('the services', (await containersOf(box, 'quay')).map((one) => one.service).sort(), [
        'night',
        'old',
        'web',
      ]);
      status(await box.remove('quay'), 200);
      equal('containers', await containersOf(box, 'quay'), []);
    },
  ),
  check(
    'box/trash/forgotten',
    ['choice/box/165'],
    'treats an app with the name of a removed one as a new app',
    async (box) => {
      const folder = box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      status(await box.install('quay'), 200);
      status(await box.remove('quay'), 200);
      rmSync(join(folder, 'compose.yaml'));
      const answer = await box.install('quay');
      status(answer, 200);
      equal('containers', await containersOf(box, 'quay'), []);
    },
  ),
  check(
    'box/trash/erased-at-a-start',
    ['choice/box/116'],
    'erases expired directories at its start, and no others',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), files: { 'unmistakable.txt': 'x' } });
      status(await box.install('quay'), 200);
      status(await box.remove('quay'), 200);
      // The first change waits for everything that a start has to do. The second start is another chance for
      // a mistake.
      for (const _ of ['once', 'and again']) {
        await box.restart();
        box.environment.placeInstalled({ name: 'anchor', manifest: manifest('anchor') });
        status(await box.changeSettings('anchor', {}), 200);
      }
      await box.restart();
      status(await box.get('/api/apps'), 200);
      equal('places of the file after restarts', placesOf(box.environment.root, 'unmistakable.txt').length, 1);
      await box.stop();
      await box.start({ env: { BOX_KEEP_REMOVED_DAYS: '0' } });
      await until('the file is erased', () => placesOf(box.environment.root, 'unmistakable.txt').length === 0);
    },
  ),
];
