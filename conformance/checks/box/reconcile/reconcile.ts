import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, status } from '../../../kernel/expect.ts';
import { composeOf, manifest, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { installedFolder, isInstalled, runningContainer } from '../disk.ts';

export const checks: Check<BoxContext>[] = [
  check(
    'box/reconcile/starts-what-stopped',
    ['box/service/18', 'box/service/17'],
    'restarts stopped containers, and updates containers after a change of the Compose file',
    async (box) => {
      placeInstalled(box, 'anchor', 'buoy', 'creek');
      status(await box.changeSettings('anchor', {}), 200);
      for (const name of ['buoy', 'creek']) await box.environment.docker.stop((await runningContainer(box, name)).name);
      const file = join(installedFolder(box, 'anchor'), 'compose.yaml');
      writeFileSync(file, box.environment.composeText(composeOf('registry.example/anchor:2.0')));
      status(await box.changeSettings('buoy', {}), 200);
      for (const name of ['buoy', 'creek']) await runningContainer(box, name);
      equal('the image of anchor', (await runningContainer(box, 'anchor')).image, 'registry.example/anchor:2.0');
    },
  ),
  check(
    'box/reconcile/own-failure',
    ['box/service/19', 'box/service/17'],
    'reconciles the other apps although the requested one cannot be reconciled',
    async (box) => {
      placeInstalled(box, 'anchor', 'zenith');
      box.environment.bundle({ name: 'wreck', manifest: manifest('wreck') });
      await box.environment.docker.fail({ on: 'pull', match: 'registry.example/wreck' });
      status(await box.install('wreck'), 207);
      for (const name of ['anchor', 'zenith'])
        await box.environment.docker.stop((await runningContainer(box, name)).name);
      status(await box.changeSettings('wreck', {}), 207);
      for (const name of ['anchor', 'zenith']) await runningContainer(box, name);
    },
  ),
  check(
    'box/reconcile/nested-variables',
    ['box/service/19', 'box/service/17', 'box/post-rules/5'],
    'reconciles the other apps next to apps with deeply nested variables, and removes those',
    async (box) => {
      const nested = (depth: number) => '${A:-'.repeat(depth) + '}'.repeat(depth);
      placeInstalled(box, 'anchor', 'buoy', 'zenith');
      writeFileSync(join(installedFolder(box, 'buoy'), '.env'), `A=${nested(1000)}\n`);
      const file = join(installedFolder(box, 'zenith'), 'compose.yaml');
      const compose = box.environment.composeText(composeOf('registry.example/zenith:1.0'));
      writeFileSync(file, `name: "${nested(3000)}"\n${compose}`);
      box.environment.bundle({ name: 'creek', manifest: manifest('creek') });
      for (const answer of [await box.install('creek'), await box.changeSettings('anchor', {})]) {
        ensure('status is 200 or 207', [200, 207].includes(answer.status), answer.status);
        for (const name of ['anchor', 'creek']) await runningContainer(box, name);
      }
      for (const name of ['buoy', 'zenith']) {
        status(await box.remove(name), 200);
        equal(`whether ${name} is installed`, isInstalled(box, name), false);
      }
    },
    { timeoutMs: 90_000 },
  ),
  check(
    'box/reconcile/engine-gone',
    ['box/post-rules/4', 'box/installApp/2'],
    'answers 207 if the engine does not answer, and starts everything when it does',
    async (box) => {
      placeInstalled(box, 'anchor');
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      await box.environment.docker.setRunning(false);
      const answer = await box.install('quay');
      ensure('the app is copied', isInstalled(box, 'quay'));
      status(answer, 207);
      await box.environment.docker.setRunning(true);
      status(await box.install('quay'), 200);
      await runningContainer(box, 'quay');
      await runningContainer(box, 'anchor');
    },
  ),
];
