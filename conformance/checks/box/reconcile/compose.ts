import { type Check, check } from '../../../kernel/check.ts';
import { equal, status } from '../../../kernel/expect.ts';
import { composeOf, manifest, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { containersOf, runningContainer } from '../disk.ts';

export const checks: Check<BoxContext>[] = [
  check(
    'box/compose/own-project',
    ['box/process/20'],
    'uses the project that docker compose would use in the directory',
    async (box) => {
      placeInstalled(box, 'plain');
      box.environment.placeInstalled({
        name: 'named',
        manifest: manifest('named'),
        compose: `name: chosen\n${composeOf('registry.example/n:1')}`,
      });
      status(await box.changeSettings('plain', {}), 200);
      await runningContainer(box, 'plain');
      await runningContainer(box, 'chosen');
      status(await box.remove('named'), 200);
      equal('containers of the named project', await containersOf(box, 'chosen'), []);
    },
  ),
];
