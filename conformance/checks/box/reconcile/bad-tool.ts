import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Tool } from '../../../../fakes/box-environment.ts';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, matches, record, refused, status } from '../../../kernel/expect.ts';
import { manifest, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { isInstalled, runningContainer } from '../disk.ts';

/**
 * The environment's `PATH` without this tool. Each folder that has it is replaced by a folder of links to its other
 * programs.
 */
function pathWithout(box: BoxContext, tool: Tool): string {
  rmSync(join(box.environment.bin, tool), { force: true });
  const folders = (box.environment.env().PATH ?? '').split(delimiter);
  const without = (folder: string, index: number) => {
    if (!existsSync(join(folder, tool))) return folder;
    const links = join(box.environment.root, `path-${index}`);
    mkdirSync(links);
    for (const name of readdirSync(folder)) {
      if (name !== tool) symlinkSync(join(folder, name), join(links, name));
    }
    return links;
  };
  return folders.map(without).join(delimiter);
}

/** More than a pipe holds, so that a box which does not read its tools' output never sees them end. */
const longMessage = `the mooring is stuck ${'and the anchor drags '.repeat(10_000)}`;

export const checks: Check<BoxContext>[] = [
  check(
    'box/reconcile/no-tool',
    ['box/installApp/2', 'box/post-rules/4', 'box/updateApp/6', 'box/post-rules/5', 'box/errors/10'],
    'treats a container tool that is not there as one that fails: 207, 502, and a remove that still deletes',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      placeInstalled(box, 'anchor');
      await box.start({ env: { PATH: pathWithout(box, 'docker') } });
      status(await box.install('quay'), 207);
      ensure('the app is copied', isInstalled(box, 'quay'));
      refused(await box.updateApp('anchor'), 502);
      const removed = await box.remove('anchor');
      status(removed, 200);
      ensure('it is gone', !isInstalled(box, 'anchor'));
      matches('compose_warning', record(removed).compose_warning, /\S/);
    },
  ),
  check(
    'box/applySelfUpdate/no-systemd-run',
    ['box/applySelfUpdate/5', 'box/errors/10'],
    'answers 502 if there is no systemd-run on PATH',
    async (box) => {
      await box.start({ env: { PATH: pathWithout(box, 'systemd-run') } });
      refused(await box.post('/api/self/update/apply'), 502);
    },
  ),
  check(
    'box/reconcile/long-message',
    ['box/updateAppSettings/2', 'box/post-rules/4', 'box/updateApp/6', 'box/post-rules/5', 'box/post-rules/11'],
    'reports a container tool that fails with a very long message',
    async (box) => {
      placeInstalled(box, 'anchor');
      status(await box.changeSettings('anchor', {}), 200);
      await runningContainer(box, 'anchor');
      for (const on of ['up', 'pull', 'down']) await box.environment.docker.fail({ on, message: longMessage });
      await box.environment.docker.removeContainer((await runningContainer(box, 'anchor')).name);
      status(await box.changeSettings('anchor', {}), 207);
      refused(await box.updateApp('anchor'), 502);
      const removed = await box.remove('anchor');
      status(removed, 200);
      ensure('it is gone', !isInstalled(box, 'anchor'));
      matches('compose_warning', record(removed).compose_warning, /mooring|anchor drags/);
    },
  ),
];
