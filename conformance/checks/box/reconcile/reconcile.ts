import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, matches, pluck, record, refused, status } from '../../../kernel/expect.ts';
import { actionsOf, appOf } from '../actions.ts';
import { composeOf, manifest, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { byHand, callsOf, containersOf, installedFolder, isInstalled, runningContainer } from '../disk.ts';
import { untilState } from './app-state.ts';

/** The docker calls during one request. */
async function callsDuring(box: BoxContext, run: () => Promise<unknown>): Promise<string[]> {
  const before = callsOf(box).length;
  await run();
  return callsOf(box)
    .slice(before)
    .map((argv) => argv.join(' '));
}

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
    'box/reconcile/unchanged-costs-one-listing',
    ['choice/box/103', 'choice/box/104'],
    'lists containers once, and does not call Compose if nothing has changed',
    async (box) => {
      placeInstalled(box, 'anchor', 'buoy', 'creek');
      status(await box.changeSettings('anchor', {}), 200);
      const before = (await box.environment.docker.containers()).map((one) => [one.id, one.startedAt]);
      const calls = await callsDuring(box, async () => status(await box.changeSettings('anchor', {}), 200));
      equal('calls of docker', calls.length, 1);
      ensure('no call of Compose', !calls.some((call) => /^compose|--project/.test(call)), calls);
      equal(
        'containers',
        (await box.environment.docker.containers()).map((one) => [one.id, one.startedAt]),
        before,
      );
    },
  ),
  check(
    'box/reconcile/only-the-changed-one',
    ['choice/box/104', 'choice/box/105'],
    'calls Compose only for the changed app, and removes services that its file no longer has',
    async (box) => {
      placeInstalled(box, 'anchor', 'buoy');
      const two = `${composeOf('registry.example/creek:1')}  extra:\n    image: registry.example/extra:1\n`;
      box.environment.placeInstalled({ name: 'creek', manifest: manifest('creek'), compose: two });
      status(await box.changeSettings('anchor', {}), 200);
      const anchor = await runningContainer(box, 'anchor');
      await runningContainer(box, 'creek', 'extra');
      writeFileSync(
        join(installedFolder(box, 'creek'), 'compose.yaml'),
        box.environment.composeText(composeOf('registry.example/creek:1')),
      );
      const calls = await callsDuring(box, async () => status(await box.changeSettings('anchor', {}), 200));
      equal('calls of compose up', calls.filter((call) => / up /.test(call)).length, 1);
      equal('services of creek', pluck(await containersOf(box, 'creek'), 'service'), ['web']);
      equal('the container of anchor', (await runningContainer(box, 'anchor')).id, anchor.id);
      const later = await callsDuring(box, async () => status(await box.changeSettings('anchor', {}), 200));
      equal('calls of docker once all is in line', later.length, 1);
    },
  ),
  check(
    'box/reconcile/never-pulls-newer',
    ['choice/box/107'],
    'does not pull a newer image if one is present',
    async (box) => {
      const images = { anchor: 'registry.example/anchor:1.4', buoy: 'registry.example/buoy:1' };
      placeInstalled(box, 'anchor');
      const compose = composeOf(images.buoy, '    pull_policy: always\n');
      box.environment.placeInstalled({ name: 'buoy', manifest: manifest('buoy'), compose });
      status(await box.changeSettings('anchor', {}), 200);
      for (const [name, image] of Object.entries(images)) {
        const { imageId } = await runningContainer(box, name);
        await box.environment.docker.advance(image);
        status(await box.changeSettings(name, { A: 'changed' }), 200);
        equal(`the image of ${name}`, (await runningContainer(box, name)).imageId, imageId);
      }
    },
  ),
  check(
    'box/reconcile/removed-while-down',
    ['choice/box/109', 'choice/box/119'],
    'later removes the project of an app that was removed while the engine did not answer',
    async (box) => {
      placeInstalled(box, 'anchor', 'buoy');
      status(await box.changeSettings('anchor', {}), 200);
      await box.environment.docker.setRunning(false);
      status(await box.remove('buoy'), 200);
      status(await box.changeSettings('anchor', {}), 207);
      await box.environment.docker.setRunning(true);
      status(await box.changeSettings('anchor', {}), 200);
      equal('containers of buoy', await containersOf(box, 'buoy'), []);
      await runningContainer(box, 'anchor');
    },
  ),
  check(
    'box/reconcile/taken-down-at-last',
    ['choice/box/109', 'choice/box/113'],
    'retries the removal of a project until it succeeds, and leaves the other apps alone',
    async (box) => {
      placeInstalled(box, 'anchor', 'buoy', 'creek');
      status(await box.changeSettings('anchor', {}), 200);
      const anchor = await runningContainer(box, 'anchor');
      await box.environment.docker.setRunning(false);
      for (const name of ['creek', 'buoy']) status(await box.remove(name), 200);
      await untilState(box, 'anchor', 'unknown');
      await box.environment.docker.fail({ on: 'down' });
      await box.environment.docker.setRunning(true);
      // After this, no reconcile happens without a request.
      await untilState(box, 'anchor', 'running');
      for (const outcome of ['fails', 'succeeds']) {
        const answer = await box.changeSettings('anchor', {});
        status(answer, 200);
        equal(`the apps that are told of when it ${outcome}`, actionsOf(answer).map(appOf), [
          'anchor',
          'buoy',
          'creek',
        ]);
        if (outcome === 'fails') await runningContainer(box, 'buoy');
        await box.environment.docker.clearFaults();
      }
      equal('containers of creek', await containersOf(box, 'creek'), []);
      equal('containers of buoy', await containersOf(box, 'buoy'), []);
      equal('the container of anchor', (await runningContainer(box, 'anchor')).id, anchor.id);
    },
  ),
  check(
    'box/reconcile/back-again',
    ['choice/box/104'],
    'reconciles an app whose files were changed back, also if the change was only half applied',
    async (box) => {
      const pair = (first: string, second: string) =>
        box.environment.composeText(
          `services:\n  first:\n    image: registry.example/first:${first}\n    restart: unless-stopped\n` +
            `  second:\n    image: registry.example/second:${second}\n    restart: unless-stopped\n`,
        );
      const folder = box.environment.placeInstalled({ name: 'kelp', manifest: manifest('kelp') });
      const change = async (text: string) => {
        writeFileSync(join(folder, 'compose.yaml'), text);
        return box.changeSettings('kelp', {});
      };
      const runs = async (first: string) => {
        for (const [name, tag] of [
          ['first', first],
          ['second', '1'],
        ] as const) {
          const { image } = await runningContainer(box, 'kelp', name);
          equal(`the image of ${name}`, image, `registry.example/${name}:${tag}`);
        }
      };
      placeInstalled(box, 'anchor');
      for (const first of ['1', '2', '1']) {
        status(await change(pair(first, '1')), 200);
        await runs(first);
      }
      await box.environment.docker.fail({ on: 'create', match: 'second', times: 1 });
      status(await change(pair('2', '2')), 207);
      status(await change(pair('1', '1')), 200);
      await runs('1');
    },
  ),
  check(
    'box/reconcile/ended-in-peace',
    ['choice/box/104'],
    'leaves a container alone that exited with 0 and has no restart policy, and restarts one that has one',
    async (box) => {
      const job = 'services:\n  web:\n    image: registry.example/job:1\n';
      const policy = (condition: string) =>
        `${job}    deploy:\n      restart_policy:\n        condition: ${condition}\n`;
      const jobs = { job, once: policy('none'), 'not-again': `${job}    restart: "no"\n` };
      for (const [name, compose] of Object.entries({ ...jobs, swarm: policy('any') }))
        box.environment.placeInstalled({ name, manifest: manifest(name), compose });
      placeInstalled(box, 'anchor');
      status(await box.changeSettings('anchor', {}), 200);
      for (const name of [...Object.keys(jobs), 'swarm', 'anchor'])
        await box.environment.docker.finish((await runningContainer(box, name)).name);
      const calls = await callsDuring(box, async () => status(await box.changeSettings('anchor', {}), 200));
      equal('calls of compose up', calls.filter((call) => / up /.test(call)).length, 2);
      for (const name of ['swarm', 'anchor']) await runningContainer(box, name);
      for (const name of Object.keys(jobs)) {
        const found = await containersOf(box, name);
        equal(`whether the container of ${name} runs`, pluck(found, 'running'), [false]);
      }
    },
  ),
  check(
    'box/reconcile/project-of-another-folder',
    ['choice/box/169'],
    'does not touch containers of a folder that is not an app, although they have the project of one',
    async (box) => {
      placeInstalled(box, 'anchor', 'buoy');
      const folder = join(box.environment.root, 'elsewhere', 'buoy');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'compose.yaml'), box.environment.composeText(composeOf('registry.example/other:1')));
      await byHand(box, 'docker', folder, 'compose', 'up', '-d');
      const { id } = await runningContainer(box, 'buoy');
      const answer = await box.changeSettings('anchor', {});
      status(answer, 207);
      const errors = actionsOf(answer).filter((action) => action.kind === 'error');
      equal('the app with an error', errors.map(appOf), ['buoy']);
      matches('what is told', errors[0]?.detail, new RegExp(folder));
      refused(await box.updateApp('buoy'), 502);
      const removed = await box.remove('buoy');
      status(removed, 200);
      ensure('a warning', typeof record(removed).compose_warning === 'string', removed.json);
      equal('the container', (await runningContainer(box, 'buoy')).id, id);
    },
  ),
  check(
    'box/reconcile/labels-in-a-label',
    ['choice/box/175', 'choice/box/169'],
    'reads the real labels of a container, whatever the value of another label contains',
    async (box) => {
      placeInstalled(box, 'anchor', 'buoy', 'creek', 'delta');
      for (const name of ['buoy', 'creek', 'delta']) {
        const claim = 'com.docker.compose.project=anchor';
        const folder = join(box.environment.root, 'elsewhere', `${name},${claim}`);
        mkdirSync(folder, { recursive: true });
        const labels = `    labels:\n      zone: "a,${claim}"\n`;
        writeFileSync(
          join(folder, 'compose.yaml'),
          box.environment.composeText(composeOf('registry.example/other:1', labels)),
        );
        await byHand(box, 'docker', folder, 'compose', '-p', name, 'up', '-d');
      }
      const answer = await box.changeSettings('anchor', {});
      status(answer, 207);
      const errors = actionsOf(answer).filter((action) => action.kind === 'error');
      equal('the apps with an error', errors.map(appOf), ['buoy', 'creek', 'delta']);
      for (const one of errors) matches('what is told', one.detail, new RegExp(`elsewhere/${appOf(one)}\\b`));
      await runningContainer(box, 'anchor');
    },
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
