import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { equal, matches, record, refused, status } from '../../../kernel/expect.ts';
import { composeOf, manifest, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { byHand, containersOf, installedFolder, isInstalled, runningContainer } from '../disk.ts';

/** Starts a project with this name by hand, from a folder outside the box. */
async function bringUpElsewhere(box: BoxContext, project: string, compose: string): Promise<void> {
  const folder = join(box.environment.root, 'elsewhere', project);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'compose.yaml'), box.environment.composeText(compose));
  await byHand(box, 'docker', folder, 'compose', 'up', '-d');
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/trash/shared-project',
    ['choice/box/169'],
    'removes only the containers of the removed app if another folder shares its project',
    async (box) => {
      for (const name of ['quay', 'reef']) box.environment.bundle({ name, manifest: manifest(name) });
      for (const name of ['quay', 'reef']) status(await box.install(name), 200);
      await bringUpElsewhere(box, 'quay', 'services:\n  guest:\n    image: registry.example/guest:1\n');
      const guest = await runningContainer(box, 'quay', 'guest');
      const other = await runningContainer(box, 'reef');
      rmSync(join(installedFolder(box, 'quay'), 'compose.yaml'));
      const answer = await box.remove('quay');
      status(answer, 200);
      matches('compose_warning', record(answer).compose_warning, /\S/);
      equal(
        'the containers of the project',
        (await containersOf(box, 'quay')).map(({ id, running }) => [id, running]),
        [[guest.id, true]],
      );
      equal('the container of the other app', (await runningContainer(box, 'reef')).id, other.id);
      equal('whether it is installed', isInstalled(box, 'quay'), false);
    },
  ),
  check(
    'box/updateApp/taken-over',
    ['choice/box/169'],
    "does not update containers that another folder created in place of the app's own",
    async (box) => {
      placeInstalled(box, 'anchor', 'buoy');
      status(await box.changeSettings('anchor', {}), 200);
      const image = 'registry.example/other:1';
      await bringUpElsewhere(box, 'buoy', composeOf(image));
      const { id } = await runningContainer(box, 'buoy');
      for (const newer of [image, 'registry.example/buoy:1.4']) await box.environment.docker.advance(newer);
      refused(await box.updateApp('buoy'), 502);
      equal('the container', (await runningContainer(box, 'buoy')).id, id);
    },
  ),
];
