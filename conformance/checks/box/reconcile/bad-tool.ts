import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, matches, record, refused, status } from '../../../kernel/expect.ts';
import { actionsOf, appOf } from '../actions.ts';
import { placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { isInstalled } from '../disk.ts';

/**
 * The environment's `PATH` without `docker`. Each folder with a `docker` is replaced by a folder of links to its other
 * programs.
 */
function pathWithoutDocker(box: BoxContext): string {
  rmSync(join(box.environment.bin, 'docker'), { force: true });
  const folders = (box.environment.env().PATH ?? '').split(delimiter);
  const without = (folder: string, index: number) => {
    if (!existsSync(join(folder, 'docker'))) return folder;
    const links = join(box.environment.root, `path-${index}`);
    mkdirSync(links);
    for (const name of readdirSync(folder)) {
      if (name !== 'docker') symlinkSync(join(folder, name), join(links, name));
    }
    return links;
  };
  return folders.map(without).join(delimiter);
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/compose/no-tool',
    ['choice/box/183', 'choice/box/119'],
    'reports for every app that there is no container tool, and still removes apps',
    async (box) => {
      placeInstalled(box, 'anchor', 'buoy');
      await box.start({ env: { PATH: pathWithoutDocker(box) } });
      const answer = await box.changeSettings('anchor', { A: 'b' });
      status(answer, 207);
      const errors = actionsOf(answer).filter(({ kind }) => kind === 'error');
      equal('the apps with an error', errors.map(appOf), ['anchor', 'buoy']);
      refused(await box.updateApp('anchor'), 502);
      const removed = await box.remove('anchor');
      status(removed, 200);
      matches('compose_warning', record(removed).compose_warning, /\S/);
      ensure('it is gone', !isInstalled(box, 'anchor'));
    },
  ),
];
