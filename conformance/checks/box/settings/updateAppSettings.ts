import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, record, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import { onlyOf, treeDigest } from '../../../kernel/tree.ts';
import { isAction } from '../actions.ts';
import { allSettings, library, manifest, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { env, isRunning, runningContainer } from '../disk.ts';
import { impossible } from './getAppSettings.ts';

const ownText = '# mine\nGREETING=old\n\nUNKNOWN="k e p t"\nVAULT_KEY=hush-7f3\nSEATS=3\n';
const lagoon = { name: 'lagoon', manifest: manifest('lagoon', { settings: allSettings }), env: ownText };
const missing = "missing or invalid 'settings' object";

export const checks: Check<BoxContext>[] = [
  check(
    'box/updateAppSettings/merges',
    [
      'box/updateAppSettings/1',
      'box/updateAppSettings/3',
      'box/updateAppSettings/4',
      'box/action/1',
      'box/post-rules/3',
      'box/post-rules/10',
      'box/states/6',
    ],
    'merges the submitted keys into .env, keeps the others and reconciles the app',
    async (box) => {
      box.environment.placeInstalled(lagoon);
      const answer = await box.changeSettings('lagoon', { GREETING: 'new', NICK: 'added' });
      status(answer, 200);
      const expected = { GREETING: 'new', UNKNOWN: 'k e p t', VAULT_KEY: 'hush-7f3', SEATS: '3', NICK: 'added' };
      equal('.env as Compose reads it', env(box, 'lagoon'), expected);
      const container = await runningContainer(box, 'lagoon');
      for (const [key, value] of Object.entries(expected)) equal(`${key} in the container`, container.env[key], value);
      const { updated, actions } = record(answer);
      equal('updated', updated, 'lagoon');
      ensure('actions is an array of action records', Array.isArray(actions) && actions.every(isAction), actions);
    },
  ),
  check(
    'box/updateAppSettings/password',
    ['box/value/1', 'box/value/4', 'box/post-rules/3'],
    'accepts a new password and never shows it',
    async (box) => {
      box.environment.placeInstalled(lagoon);
      const key = box.secret();
      const answer = await box.changeSettings('lagoon', { VAULT_KEY: key });
      status(answer, 200);
      equal('VAULT_KEY in the container', (await runningContainer(box, 'lagoon')).env.VAULT_KEY, key);
      const later = [
        await box.get('/api/apps/lagoon/settings'),
        await box.get('/api/apps'),
        await box.updateApp('lagoon'),
      ];
      for (const one of [answer, ...later]) ensure('the answer does not hold it', !one.text.includes(key));
    },
  ),
  check(
    'box/updateAppSettings/null',
    ['box/post-rules/1'],
    'writes null as the empty string, and numbers as strings',
    async (box) => {
      box.environment.placeInstalled(lagoon);
      status(await box.changeSettings('lagoon', { GREETING: null, SEATS: 12 }), 200);
      const container = await runningContainer(box, 'lagoon');
      equal('GREETING and SEATS in the container', [container.env.GREETING, container.env.SEATS], ['', '12']);
    },
  ),
  check(
    'box/updateAppSettings/empty-password',
    ['box/post-rules/3', 'box/states/6'],
    'writes an empty password that is submitted',
    async (box) => {
      box.environment.placeInstalled(lagoon);
      status(await box.changeSettings('lagoon', { VAULT_KEY: box.secret() }), 200);
      status(await box.changeSettings('lagoon', { VAULT_KEY: '' }), 200);
      equal('VAULT_KEY in .env', env(box, 'lagoon').VAULT_KEY, '');
      equal('VAULT_KEY in the container', (await runningContainer(box, 'lagoon')).env.VAULT_KEY, '');
    },
  ),
  check(
    'box/updateAppSettings/required-not-enforced',
    ['box/setting/7'],
    'allows a required setting to be missing or empty',
    async (box) => {
      box.environment.placeInstalled(lagoon);
      status(await box.changeSettings('lagoon', {}), 200);
      status(await box.changeSettings('lagoon', { GREETING: '' }), 200);
      equal('GREETING', env(box, 'lagoon').GREETING, '');
    },
  ),
  check(
    'box/updateAppSettings/recreates-for-new-values',
    ['box/service/18', 'box/post-rules/10'],
    'passes the new values to the running container',
    async (box) => {
      box.environment.placeInstalled(lagoon);
      status(await box.changeSettings('lagoon', { GREETING: 'one' }), 200);
      equal('first', (await runningContainer(box, 'lagoon')).env.GREETING, 'one');
      status(await box.changeSettings('lagoon', { GREETING: 'two' }), 200);
      equal('second', (await runningContainer(box, 'lagoon')).env.GREETING, 'two');
    },
  ),
  check(
    'box/updateAppSettings/reconciles-all',
    ['box/post-rules/10', 'box/service/19', 'box/updateAppSettings/2', 'box/errors/5', 'box/post-rules/4'],
    'reconciles the other apps too, and answers 207 if any app cannot be',
    async (box) => {
      box.environment.placeInstalled(lagoon);
      // After a change, what the box does at its start is over: it may pull in the background, and tell a failure then.
      await box.changeSettings('lagoon', {});
      await box.environment.docker.fail({ on: 'pull', match: 'registry.example/wreck' });
      for (const name of ['anchor', 'wreck']) box.environment.placeInstalled({ name, manifest: manifest(name) });
      const answer = await box.changeSettings('lagoon', { GREETING: 'new' });
      equal('GREETING in the container', (await runningContainer(box, 'lagoon')).env.GREETING, 'new');
      await runningContainer(box, 'anchor');
      status(answer, 207);
      const { updated, actions } = record(answer);
      equal('updated', updated, 'lagoon');
      ensure('actions is an array of action records', Array.isArray(actions) && actions.every(isAction), actions);
      status(await box.changeSettings('wreck', {}), 207);
      await box.environment.docker.clearFaults();
      // A change need not wait for the images of other apps, which may be pulled in the background.
      await box.changeSettings('lagoon', {});
      await until('wreck runs', () => isRunning(box, 'wreck'));
      status(await box.changeSettings('lagoon', {}), 200);
    },
  ),
  check(
    'box/updateAppSettings/invalid-name',
    ['box/updateAppSettings/5', 'box/errors/2', 'box/body/5'],
    'refuses a name that is empty or has a slash, before it looks for a name in the body',
    async (box) => {
      for (const path of ['/api/apps//settings', '/api/apps/a/b/settings', '/api/apps/cairn//settings']) {
        refused(await box.post(path, { settings: {} }), 400, 'invalid app name');
      }
    },
    { shared: library },
  ),
  check(
    'box/updateAppSettings/settings-no-object',
    ['box/updateAppSettings/6', 'box/updateAppSettings/7', 'box/updateAppSettings/8', 'box/errors/2'],
    'refuses settings that are missing, null or not an object',
    async (box) => {
      for (const body of [
        {},
        { settings: null },
        { settings: 'x' },
        { settings: 7 },
        { settings: [] },
        { settings: true },
      ]) {
        refused(await box.post('/api/apps/cairn/settings', body), 400, missing);
      }
    },
    { shared: library },
  ),
  check(
    'box/updateAppSettings/not-installed',
    ['box/updateAppSettings/10', 'box/errors/7'],
    'answers 404 for an app that is not installed, bundled or not',
    async (box) => {
      for (const name of ['nobody', 'beacon', 'CAIRN', 'Cairn'])
        refused(await box.changeSettings(name, { GREETING: 'x' }), 404);
      for (const name of impossible) {
        const answer = await box.changeSettings(name, { GREETING: 'x' });
        // An impossible name may be reported as an invalid name.
        refused(answer, answer.status === 400 ? 400 : 404);
      }
    },
    { shared: library },
  ),
  check(
    'box/updateAppSettings/invalid-values',
    ['box/updateAppSettings/11', 'box/errors/6'],
    'refuses values that a .env cannot represent',
    async (box) => {
      box.environment.placeInstalled(lagoon);
      const bad = { '': 'x', 'A=B': 'x', 'C\nD': 'x', E: 'nul\u0000byte' };
      refused(await box.changeSettings('lagoon', bad), 400);
    },
  ),
  check('box/updateAppSettings/neighbours', ['box/post-rules/3'], 'changes no file of another app', async (box) => {
    const anchor = box.environment.placeInstalled({ name: 'anchor', manifest: manifest('anchor'), env: ownText });
    box.environment.placeInstalled(lagoon);
    const before = treeDigest(anchor);
    status(await box.changeSettings('lagoon', { GREETING: 'new', NICK: 'x' }), 200);
    equal('the files of the other app', onlyOf(before, treeDigest(anchor)), before);
  }),
  check(
    'box/updateAppSettings/secrets-stay-secret',
    ['should/box/17'],
    'stores a password in .env and containers only, and shows it in no response, output, argument or file of its own',
    async (box) => {
      box.environment.placeInstalled(lagoon);
      const key = box.secret();
      const subject = await box.start();
      const answers = [await box.changeSettings('lagoon', { VAULT_KEY: key })];
      await box.environment.docker.fail({ on: 'start', match: 'lagoon', times: 1 });
      answers.push(await box.changeSettings('lagoon', { VAULT_KEY: key, GREETING: 'x' }));
      answers.push(await box.changeSettings('lagoon', { SEATS: 'none', VAULT_KEY: key }));
      answers.push(await box.get('/api/apps/lagoon/settings'), await box.remove('lagoon'));
      ensure('no answer has it', !answers.some((answer) => answer.text.includes(key)));
      await box.stop();
      ensure('no output has it', !`${subject.stdout()}${subject.stderr()}`.includes(key));
      ensure(
        'no docker argument has it',
        !box.environment.docker.calls().some((call) => call.argv.join(' ').includes(key)),
      );
    },
  ),
  check(
    'box/updateAppSettings/secrets-refused',
    ['should/box/17'],
    'does not show a password that it refuses, in the answer or in its output',
    async (box) => {
      box.environment.bundle({ name: 'lagoon', manifest: lagoon.manifest });
      const subject = await box.start();
      const key = box.secret();
      for (const value of [`${key}\u0000`, `${key}\ud800`, { [key]: key }, [key]]) {
        const answers = [await box.install('lagoon', { VAULT_KEY: value })];
        answers.push(await box.changeSettings('lagoon', { VAULT_KEY: value }));
        for (const { text } of answers) ensure('no answer has it', !text.includes(key), text);
      }
      await box.stop();
      ensure('no output has it', !`${subject.stdout()}${subject.stderr()}`.includes(key));
    },
  ),
  check(
    'box/updateAppSettings/secrets-quoted',
    ['should/box/17'],
    'hides a complete password that the container tool quotes, also if another one is its prefix',
    async (box) => {
      const pin = box.secret();
      const key = `${pin}-and-the-rest`;
      const passwords = [{ ...settings.password, name: 'PIN' }, settings.password];
      box.environment.placeInstalled({
        name: 'lagoon',
        manifest: manifest('lagoon', { settings: [...passwords, settings.text] }),
        env: `PIN=${pin}\nVAULT_KEY=${key}\nGREETING=plainly\n`,
      });
      await box.environment.docker.fail({ on: 'up', message: `cannot read "${key}" plainly` });
      const answer = await box.changeSettings('lagoon', {});
      status(answer, 207);
      ensure('no password in the answer', !answer.text.includes(pin), answer.text);
      ensure('no part of one in it', !answer.text.includes('and-the-rest'), answer.text);
    },
  ),
  check(
    'box/updateAppSettings/secrets-in-other-words',
    ['should/box/17'],
    'hides a password that the container tool quotes escaped, or only in part',
    async (box) => {
      const [first, second, short] = [box.secret(), box.secret(), 'q7z'];
      const value = `${first}"\t\\$${second}`;
      const escaped = value.replace(/[\\"$]/g, '\\$&');
      const quoted: [string, string][] = [
        [value, value],
        [`${first}\r${second}`, `${first}\r${second}`],
        [value, JSON.stringify(` ${value} `)],
        [`${first}\n`, first],
        [value, escaped],
        [`${first}\n${second}`, second],
        [`${first}\r\n${second}`, first],
        [short, short],
      ];
      for (const [password, words] of quoted) {
        box.environment.placeInstalled({ ...lagoon, env: 'A=1\n' });
        await box.environment.docker.clearFaults();
        await box.environment.docker.fail({ on: 'up', message: `cannot read <${words}> plainly` });
        const answer = await box.changeSettings('lagoon', { VAULT_KEY: password });
        status(answer, 207);
        for (const part of [first, second, short])
          ensure(`no password in the answer that quotes ${words}`, !answer.text.includes(part), answer.text);
      }
    },
  ),
  check(
    'box/updateAppSettings/secrets-on-damaged-lines',
    ['should/box/17'],
    'hides a password of an invalid line that the container tool quotes',
    async (box) => {
      const damaged = [
        ['VAULT_KEY="', ' y'],
        ["export VAULT_KEY '", "'"],
        ['VAULT_KEY=', '${z'],
        [' \t export  VAULT_KEY : "', ' y'],
        ['VAULT_KEYS=1\nVAULT_KEY ', ' y'],
        ['OTHER="\nVAULT_KEY=\'', ' VAULT_KEY'],
      ] as const;
      for (const [before, after] of damaged) {
        const key = box.secret();
        box.environment.placeInstalled({ ...lagoon, env: `${before}${key}${after}\nA=1\n` });
        await box.environment.docker.clearFaults();
        await box.environment.docker.fail({ on: 'up', message: `cannot read ${key}${after}` });
        const answer = await box.changeSettings('lagoon', {});
        status(answer, 207);
        ensure(`no password in the answer about ${before}…`, !answer.text.includes(key), answer.text);
      }
    },
  ),
  check(
    'box/updateAppSettings/secrets-after-dollar',
    ['should/box/17'],
    'hides the part of a password after a "$", which the container tool reports as an unset variable',
    async (box) => {
      const part = box.secret();
      box.environment.placeInstalled({ ...lagoon, env: `VAULT_KEY=x$${part}\n` });
      const warning = `time="2026-01-01T00:00:00Z" level=warning msg="The \\"${part}\\" variable is not set. Defaulting to a blank string."`;
      await box.environment.docker.fail({ on: 'up', message: `${warning}\ncannot start plainly` });
      const answer = await box.changeSettings('lagoon', {});
      status(answer, 207);
      ensure('no part of the password in the answer', !answer.text.includes(part), answer.text);
    },
  ),
];
