import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, list, matches, pluck, record, refused, status } from '../../../kernel/expect.ts';
import { onlyOf, treeDigest } from '../../../kernel/tree.ts';
import { isAction } from '../actions.ts';
import { allSettings, declared, manifest, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { env, installedFolder, runningContainer } from '../disk.ts';
import { unfilled } from '../placeholders.ts';

const example = '# how to greet\nGREETING=from the example\n\nVAULT_KEY=\nKEPT=as it is\n';

export const checks: Check<BoxContext>[] = [
  check(
    'box/installApp/copies-writes-starts',
    [
      'box/installApp/1',
      'box/installApp/3',
      'box/installApp/4',
      'box/action/1',
      'box/service/13',
      'box/service/14',
      'box/service/15',
      'box/service/18',
      'box/states/2',
      'box/process/17',
      'box/value/4',
    ],
    'copies the app, writes its settings and starts its containers',
    async (box) => {
      const files = { 'config/deep/site.conf': 'a = 1\n', 'bytes.bin': Buffer.from([0, 255, 10, 13]) };
      const app = { name: 'harbour', manifest: manifest('harbour', { settings: allSettings }) };
      const bundled = box.environment.bundle({ ...app, envExample: example, icon: '<svg/>', files });
      const key = box.secret();
      const answer = await box.install('harbour', { GREETING: 'good day', VAULT_KEY: key });
      status(answer, 200);
      const folder = installedFolder(box, 'harbour');
      for (const name of ['manifest.json', 'compose.yaml', 'icon.svg', ...Object.keys(files)]) {
        ensure(`${name} is copied`, existsSync(join(folder, name)));
        const same = readFileSync(join(folder, name)).equals(readFileSync(join(bundled, name)));
        ensure(`${name} has the bytes of the bundle`, same);
      }
      const written = env(box, 'harbour');
      equal('GREETING in .env', written.GREETING, 'good day');
      equal('VAULT_KEY in .env', written.VAULT_KEY, key);
      const container = await runningContainer(box, 'harbour');
      equal('GREETING in the container', container.env.GREETING, 'good day');
      equal('VAULT_KEY in the container', container.env.VAULT_KEY, key);
      const { installed, actions } = record(answer);
      matches('installed is a path to the app', installed, /\/harbour\/?$/);
      if (isAbsolute(installed)) equal('where it leads to', realpathSync(installed), realpathSync(folder));
      ensure('actions is an array of records', Array.isArray(actions) && actions.every(isAction), actions);
      ensure('no password in the answer', !answer.text.includes(key));
    },
  ),
  check(
    'box/installApp/lists-change',
    ['box/states/1', 'box/states/2', 'box/states/9', 'box/listBundledApps/5', 'box/getAppSettings/1'],
    'moves the app from the bundled list to the installed one',
    async (box) => {
      box.environment.bundle({ name: 'harbour', manifest: manifest('harbour', { settings: [settings.text] }) });
      status(await box.install('harbour', { GREETING: 'now' }), 200);
      const installed = list(await box.get('/api/apps'));
      equal(
        'the installed list',
        installed.map((app) => [app.name, app.ok]),
        [['harbour', true]],
      );
      equal('the bundled list', (await box.get('/api/bundled')).json, []);
      const view = record(await box.get('/api/apps/harbour/settings'));
      equal('installed in the settings view', view.installed, true);
      equal('value in the settings view', (view.settings as { value: string }[] | undefined)?.[0]?.value, 'now');
    },
  ),
  check(
    'box/installApp/settings-optional',
    ['box/post-rules/9', 'box/setting/7'],
    'requires no settings, not even required ones',
    async (box) => {
      box.environment.bundle({
        name: 'quay',
        manifest: manifest('quay', { settings: allSettings }),
        envExample: example,
      });
      status(await box.install('quay'), 200);
      const container = await runningContainer(box, 'quay');
      equal("the example's value reaches the container", container.env.KEPT, 'as it is');
      box.environment.bundle({ name: 'pier', manifest: manifest('pier', { settings: allSettings }) });
      status(await box.install('pier', {}), 200);
      await runningContainer(box, 'pier');
    },
  ),
  check(
    'box/installApp/values-as-strings',
    ['box/post-rules/1', 'box/service/15'],
    'writes values as strings, and null as the empty string',
    async (box) => {
      const declares = [...allSettings, ...declared('KEPT')];
      const envExample = example.replace('VAULT_KEY=', 'VAULT_KEY=example-key');
      box.environment.bundle({ name: 'quay', manifest: manifest('quay', { settings: declares }), envExample });
      status(await box.install('quay', { GREETING: null, SEATS: 42, NICK: '007', VAULT_KEY: '', KEPT: '' }), 200);
      const { env: inside } = await runningContainer(box, 'quay');
      const seen = [inside.GREETING, inside.SEATS, inside.NICK, inside.VAULT_KEY, inside.KEPT];
      equal('GREETING, SEATS, NICK, VAULT_KEY, KEPT in the container', seen, ['', '42', '007', '', '']);
    },
  ),
  check(
    'box/installApp/reconciles-all',
    ['box/service/17', 'box/service/18'],
    'reconciles every installed app, not only the new one',
    async (box) => {
      box.environment.placeInstalled({ name: 'anchor', manifest: manifest('anchor') });
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      status(await box.install('quay'), 200);
      await runningContainer(box, 'quay');
      await runningContainer(box, 'anchor');
    },
  ),
  check(
    'box/installApp/broken-neighbour',
    ['box/installApp/2', 'box/service/19', 'box/post-rules/4', 'box/errors/5'],
    'answers 207 if another app cannot be started, and starts the new app and the others',
    async (box) => {
      for (const name of ['anchor', 'wreck', 'zenith'])
        box.environment.placeInstalled({ name, manifest: manifest(name) });
      box.environment.placeInstalled({ name: 'aground', manifest: 'no JSON' });
      box.environment.placeInstalled({ name: 'hollow', manifest: null, compose: null });
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      await box.environment.docker.fail({ on: 'pull', match: 'registry.example/wreck' });
      await box.environment.docker.behave('registry.example/wreck:1.4', 'never-start');
      const answer = await box.install('quay');
      for (const name of ['quay', 'anchor', 'zenith']) await runningContainer(box, name);
      status(answer, 207);
      matches('installed', record(answer).installed, /./);
    },
  ),
  check(
    'box/installApp/own-containers-fail',
    ['box/installApp/2', 'box/post-rules/4', 'box/states/2'],
    'answers 207 if the containers of the app cannot be started, and keeps its files and settings',
    async (box) => {
      const app = { name: 'wreck', manifest: manifest('wreck', { settings: allSettings }) };
      box.environment.bundle({ ...app, envExample: example });
      await box.environment.docker.fail({ on: 'pull', match: 'registry.example/wreck' });
      const answer = await box.install('wreck', { GREETING: 'kept' });
      status(answer, 207);
      equal('GREETING in .env', env(box, 'wreck').GREETING, 'kept');
      await box.environment.docker.clearFaults();
      status(await box.install('wreck'), 200);
      equal('GREETING in the container', (await runningContainer(box, 'wreck')).env.GREETING, 'kept');
    },
  ),
  check(
    'box/installApp/reinstall',
    ['box/states/5', 'box/installApp/1'],
    'reinstalls an installed app: newest bundled files, submitted settings, running containers',
    async (box) => {
      const app = { name: 'quay', envExample: example };
      const versioned = (version: string) => manifest('quay', { version, settings: allSettings });
      box.environment.bundle({ ...app, manifest: versioned('1.0.0') });
      status(await box.install('quay', { GREETING: 'first' }), 200);
      box.environment.bundle({ ...app, manifest: versioned('2.0.0') });
      status(await box.install('quay', { GREETING: 'second' }), 200);
      equal('the version', list(await box.get('/api/apps'))[0]?.version, '2.0.0');
      equal('GREETING in the container', (await runningContainer(box, 'quay')).env.GREETING, 'second');
    },
  ),
  check(
    'box/installApp/bundle-is-only-read',
    ['box/service/12'],
    'never changes the bundled-apps directory',
    async (box) => {
      const fields = { settings: [...allSettings, ...declared('KEPT')] };
      box.environment.bundle({ name: 'quay', manifest: manifest('quay', fields), envExample: example });
      box.environment.bundle({ name: 'reef', ...unfilled('reef') });
      const before = treeDigest(box.environment.bundledApps);
      status(await box.install('quay', { GREETING: 'x' }), 200);
      status(await box.changeSettings('quay', { GREETING: 'y' }), 200);
      status(await box.updateApp('quay'), 200);
      status(await box.remove('quay'), 200);
      refused(await box.install('reef', { KEPT: 'x' }), 400);
      equal('the bundled-apps directory', treeDigest(box.environment.bundledApps), before);
    },
  ),
  check(
    'box/installApp/neighbours-files',
    ['box/service/15', 'box/service/13'],
    'changes no file of another app',
    async (box) => {
      const env = 'GREETING=mine\nOTHER="a b"\n';
      const anchor = box.environment.placeInstalled({ name: 'anchor', manifest: manifest('anchor'), env });
      const fields = { settings: declared('GREETING', 'OTHER') };
      box.environment.bundle({ name: 'quay', manifest: manifest('quay', fields), envExample: example });
      const before = treeDigest(anchor);
      status(await box.install('quay', { GREETING: 'other', OTHER: 'x' }), 200);
      equal('the files of the other app', onlyOf(before, treeDigest(anchor)), before);
    },
  ),
  check(
    'box/installApp/compose-file-names',
    ['box/process/19'],
    'accepts each of the four Compose file names',
    async (box) => {
      const names = ['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];
      for (const [index, composeFile] of names.entries()) {
        const name = `berth${index}`;
        box.environment.bundle({ name, manifest: manifest(name), composeFile });
        status(await box.install(name), 200);
        await runningContainer(box, name);
      }
    },
  ),
  check(
    'box/installApp/survives-restart',
    ['box/states/2', 'box/service/13'],
    'keeps the app installed and unchanged over a restart of the service',
    async (box) => {
      box.environment.bundle({
        name: 'quay',
        manifest: manifest('quay', { settings: allSettings }),
        envExample: example,
      });
      status(await box.install('quay', { GREETING: 'stays' }), 200);
      const { id } = await runningContainer(box, 'quay');
      const before = treeDigest(installedFolder(box, 'quay'));
      await box.restart();
      equal('the installed list', pluck(list(await box.get('/api/apps')), 'name'), ['quay']);
      equal('the files', treeDigest(installedFolder(box, 'quay')), before);
      equal('the container', (await runningContainer(box, 'quay')).id, id);
    },
  ),
];
