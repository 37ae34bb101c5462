import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, list, matches, record, refused, status } from '../../../kernel/expect.ts';
import { treeDigest } from '../../../kernel/tree.ts';
import { composeOf, declared, manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { containersOf, env, envText, installedFolder, runningContainer } from '../disk.ts';
import { unhurried } from './two-services.ts';

const image = (version: string) => `registry.example/wrack:${version}`;

type More = { envExample?: string; service?: string };

/** Bundles the app in this version. Its Compose file names an image of the same version. */
function offer(box: BoxContext, version: string, { envExample = 'SEATS=7\n', service = '' }: More = {}): void {
  box.environment.bundle({
    name: 'wrack',
    manifest: manifest('wrack', { version, settings: declared('SEATS') }),
    compose: `${composeOf(image(version), '    env_file: .env\n')}${service}`,
    envExample,
    files: { 'conf/wrack.conf': `of ${version}\n` },
  });
}

async function install(box: BoxContext): Promise<void> {
  offer(box, '1.10');
  status(await box.install('wrack', { SEATS: '9' }), 200);
}

function putByHand(box: BoxContext, path: string, text: string): void {
  const file = join(installedFolder(box, 'wrack'), path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const installedVersion = async (box: BoxContext) => list(await box.get('/api/apps'))[0]?.version;
const runs = async (box: BoxContext) => (await runningContainer(box, 'wrack')).image;

export const checks: Check<BoxContext>[] = [
  check(
    'box/updateApp/newer-version-bundled',
    ['box/updateApp/1', 'box/post-rules/14'],
    'answers with app, updated and services when the bundled apps have a newer version of the app',
    async (box) => {
      await install(box);
      offer(box, '1.11');
      const answer = await box.updateApp('wrack');
      status(answer, 200);
      const { app, updated, services } = record(answer);
      equal('app', app, 'wrack');
      ensure('services is an array', Array.isArray(services), services);
      equal('updated is true exactly if services is not empty', updated, list({ json: services }).length > 0);
    },
    unhurried,
  ),
  check(
    'box/updateApp/newer-version',
    ['choice/box/304'],
    'installs files, images and containers of a newer version, and keeps settings and data',
    async (box) => {
      await install(box);
      const before = await runningContainer(box, 'wrack');
      putByHand(box, 'data/rows', 'mine');
      putByHand(box, 'conf/wrack.conf', 'edited');
      offer(box, '1.11', { envExample: 'SEATS=7\nNICK=new\n' });
      const answer = await box.updateApp('wrack');
      status(answer, 200);
      const { app, updated, services, from_version, to_version, kept } = record(answer);
      equal('app and updated', [app, updated], ['wrack', true]);
      equal('versions', [from_version, to_version, kept], ['1.10', '1.11', ['conf/wrack.conf.kept']]);
      const after = await runningContainer(box, 'wrack');
      const [change] = list({ json: services });
      equal('the change', [change?.from, change?.to], [before.imageId, after.imageId]);
      matches('the image that runs', after.image, /:1\.11$/);
      equal('version in the list', await installedVersion(box), '1.11');
      const { SEATS, NICK } = env(box, 'wrack');
      equal('SEATS and NICK', [SEATS, NICK], ['9', 'new']);
      equal('NICK in the container', after.env.NICK, 'new');
      equal('the second update', (await box.updateApp('wrack')).json, { app: 'wrack', updated: false, services: [] });
    },
    unhurried,
  ),
  check(
    'box/updateApp/newer-version-not-pulled',
    ['choice/box/304'],
    'changes nothing if an image of the newer version cannot be pulled',
    async (box) => {
      await install(box);
      const files = treeDigest(installedFolder(box, 'wrack'));
      const containers = await containersOf(box, 'wrack');
      offer(box, '1.11');
      await box.environment.docker.fail({ on: 'pull', match: 'wrack', kind: 'network' });
      refused(await box.updateApp('wrack'), 502);
      equal('its files', treeDigest(installedFolder(box, 'wrack')), files);
      equal('its containers', await containersOf(box, 'wrack'), containers);
      await box.environment.docker.clearFaults();
      status(await box.updateApp('wrack'), 200);
      equal('version once it can be pulled', await installedVersion(box), '1.11');
    },
    unhurried,
  ),
  check(
    'box/updateApp/newer-version-does-not-run',
    ['choice/box/305'],
    'restores files, .env and image if the newer version does not run, and reports both in a 502',
    async (box) => {
      await install(box);
      putByHand(box, 'conf/wrack.conf', 'edited');
      const files = treeDigest(installedFolder(box, 'wrack'));
      const before = await runs(box);
      offer(box, '1.11', { envExample: 'SEATS=7\nNICK=new\n' });
      await box.environment.docker.behave(image('1.11'), 'exit');
      const answer = await box.updateApp('wrack');
      refused(answer, 502);
      matches('the refusal', record(answer).error, /1\.10/);
      equal('its files', treeDigest(installedFolder(box, 'wrack')), files);
      equal('its .env', envText(box, 'wrack'), 'SEATS=9\n');
      equal('the image that runs', await runs(box), before);
    },
    unhurried,
  ),
  check(
    'box/updateApp/newer-version-of-a-stopped-app',
    ['choice/box/306'],
    'installs the files of a newer version of a stopped app and does not start it',
    async (box) => {
      await install(box);
      await box.environment.docker.stop((await runningContainer(box, 'wrack')).id);
      offer(box, '1.11');
      status(await box.updateApp('wrack'), 200);
      equal('version in the list', await installedVersion(box), '1.11');
      const running = (await containersOf(box, 'wrack')).map((one) => one.running);
      equal('whether its container runs', running, [false]);
    },
    unhurried,
  ),
  check(
    'box/updateApp/newer-version-with-a-secret',
    ['choice/box/307'],
    'asks for a secret that only the owner can provide before it changes anything',
    async (box) => {
      await install(box);
      const files = treeDigest(installedFolder(box, 'wrack'));
      offer(box, '1.11', { envExample: 'SEATS=7\nAPI_TOKEN=change-me\n' });
      refused(await box.updateApp('wrack'), 400);
      equal('its files', treeDigest(installedFolder(box, 'wrack')), files);
      matches('the image that runs', await runs(box), /:1\.10$/);
      putByHand(box, '.env', 'SEATS=9\nAPI_TOKEN=mine\n');
      status(await box.updateApp('wrack'), 200);
    },
    unhurried,
  ),
  check(
    'box/updateApp/newer-version-of-another-project',
    ['choice/box/308'],
    'answers 502 to a newer version with another Compose project, and changes nothing',
    async (box) => {
      await install(box);
      const files = treeDigest(installedFolder(box, 'wrack'));
      offer(box, '1.11', { service: 'name: tangle\n' });
      refused(await box.updateApp('wrack'), 502);
      equal('its files', treeDigest(installedFolder(box, 'wrack')), files);
      matches('the image that runs', await runs(box), /:1\.10$/);
    },
  ),
];
