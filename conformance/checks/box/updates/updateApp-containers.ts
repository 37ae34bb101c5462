import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { equal, fields, list, matches, pluck, record, refused, status } from '../../../kernel/expect.ts';
import { manifest, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { byHand, containersOf, installedFolder, runningContainer } from '../disk.ts';
import { compose, installTwoServices, store, unhurried, web } from './two-services.ts';

const job = 'registry.example/reed-job:1';
const rush = 'registry.example/rush-job:1';
const site = 'registry.example/reed:3';
const reed = `services:
  web:
    image: ${site}
    restart: unless-stopped
    healthcheck:
      test: ["CMD", "true"]
  job:
    image: ${job}
    restart: "no"
`;

export const checks: Check<BoxContext>[] = [
  check(
    'box/updateApp/job-ends',
    ['choice/box/122'],
    'accepts a new container that becomes healthy late or exits with 0 without a restart policy, but not a failed one',
    async (box) => {
      const { docker } = box.environment;
      await docker.behave(job, 'finish', 2);
      await docker.behave(rush, 'exit', 2);
      box.environment.placeInstalled({ name: 'reed', manifest: manifest('reed'), compose: reed });
      placeInstalled(box, 'anchor');
      const failing = reed.replace(job, rush).replace(site, web);
      box.environment.placeInstalled({ name: 'rush', manifest: manifest('rush'), compose: failing });
      status(await box.changeSettings('reed', {}), 200);
      await docker.stop((await runningContainer(box, 'anchor')).name);
      await docker.behave(site, 'slow-health', 2, 1500);
      for (const image of [job, site]) await docker.advance(image);
      const answer = await box.updateApp('reed');
      status(answer, 200);
      equal('what was updated', pluck(list({ json: record(answer).services }), 'service'), ['job', 'web']);
      const kept = await docker.imageId(rush);
      await docker.advance(rush);
      refused(await box.updateApp('rush'), 502);
      equal('the local tag', await docker.imageId(rush), kept);
    },
    unhurried,
  ),
  check(
    'box/updateApp/started-by-hand',
    ['choice/box/181'],
    'compares the running containers, including those that the owner added, with the current Compose file',
    async (box) => {
      await installTwoServices(box);
      const added = 'registry.example/kelp-added:2';
      const text = `${compose}  added:\n    image: ${added}\n    restart: unless-stopped\n`;
      const folder = installedFolder(box, 'kelp');
      writeFileSync(join(folder, 'compose.yaml'), box.environment.composeText(text));
      await byHand(box, 'docker', folder, 'compose', 'up', '-d');
      await box.environment.docker.advance(added);
      const named = 'registry.example/kelp-web:9';
      writeFileSync(join(folder, 'compose.yaml'), box.environment.composeText(text.replace(web, named)));
      const answer = await box.updateApp('kelp');
      status(answer, 200);
      const changes = list({ json: record(answer).services });
      equal('what was updated', pluck(changes, 'service'), ['added', 'web']);
      matches('the tag of the web', changes[1]?.tag, /(^|:)9$/);
      equal('the image of the web', (await runningContainer(box, 'kelp')).image, named);
    },
    unhurried,
  ),
  check(
    'box/updateApp/without-compose-file',
    ['choice/box/179'],
    'finds nothing newer for an app that never had a Compose file, and refuses one that lost it',
    async (box) => {
      box.environment.placeInstalled({ name: 'card', manifest: manifest('card'), compose: null });
      await installTwoServices(box);
      equal('the answer', (await box.updateApp('card')).json, { app: 'card', updated: false, services: [] });
      rmSync(join(installedFolder(box, 'kelp'), 'compose.yaml'));
      refused(await box.updateApp('kelp'), 502);
      for (const service of ['web', 'store']) await runningContainer(box, 'kelp', service);
    },
  ),
  check(
    'box/updateApp/stopped-app',
    ['should/box/240'],
    'does not start a stopped app although it has newer images',
    async (box) => {
      await installTwoServices(box);
      const { docker } = box.environment;
      for (const service of ['web', 'store']) await docker.stop((await runningContainer(box, 'kelp', service)).name);
      for (const image of [web, store]) await docker.advance(image);
      status(await box.updateApp('kelp'), 200);
      const running = (await containersOf(box, 'kelp')).filter((one) => one.running);
      equal('what runs', running, []);
    },
    unhurried,
  ),
  check(
    'box/updateApp/stopped-service',
    ['should/box/240'],
    'leaves a stopped service of a running app stopped, also if both have newer images',
    async (box) => {
      await installTwoServices(box);
      const { docker } = box.environment;
      await docker.stop((await runningContainer(box, 'kelp', 'store')).name);
      for (const image of [web, store]) await docker.advance(image);
      status(await box.updateApp('kelp'), 200);
      equal('the image of the web', (await runningContainer(box, 'kelp')).imageId, await docker.imageId(web));
      equal('whether the stopped service runs', (await docker.project('kelp')).store?.running ?? false, false);
    },
    unhurried,
  ),
  check(
    'box/updateApp/job-before-service',
    ['choice/box/241'],
    'reruns a job that must finish before the recreated service',
    async (box) => {
      const { docker } = box.environment;
      for (const generation of [1, 2]) await docker.behave(job, 'finish', generation);
      const first = '    depends_on:\n      job:\n        condition: service_completed_successfully\n';
      const compose = reed.replace(/ {4}healthcheck:\n.*\n/, first);
      box.environment.placeInstalled({ name: 'reed', manifest: manifest('reed'), compose });
      status(await box.changeSettings('reed', {}), 200);
      for (const image of [job, site]) await docker.advance(image);
      const answer = await box.updateApp('reed');
      status(answer, 200);
      const changed = list({ json: record(answer).services }).map((one) => one.service);
      equal('what was updated', changed, ['web']);
      const [ended] = (await containersOf(box, 'reed')).filter((one) => one.service === 'job');
      equal('the image of the job', ended?.imageId, await docker.imageId(job));
      await runningContainer(box, 'reed');
    },
    unhurried,
  ),
  check(
    'box/updateApp/cut-short',
    ['choice/box/184'],
    'starts containers that an interrupted update created but did not start, although nothing is newer',
    async (box) => {
      await installTwoServices(box);
      await byHand(box, 'docker', installedFolder(box, 'kelp'), 'compose', 'create', '--force-recreate', 'web');
      equal('whether the web runs', (await box.environment.docker.project('kelp')).web?.running, false);
      fields('the answer', (await box.updateApp('kelp')).json, { app: 'kelp', updated: false, services: [] });
      for (const service of ['web', 'store']) await runningContainer(box, 'kelp', service);
    },
    unhurried,
  ),
];
