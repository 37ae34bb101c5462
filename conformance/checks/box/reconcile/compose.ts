import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, status } from '../../../kernel/expect.ts';
import { actionsOf, appOf } from '../actions.ts';
import { composeOf, manifest, placeInstalled } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { containersOf, runningContainer } from '../disk.ts';

/** Compose's result for a `name:` if `SEA` is `blue` and `EMPTY` is empty. */
const projectNames: Readonly<Record<string, string>> = {
  '${SEA}': 'blue',
  '$SEA-b': 'blue-b',
  'c${NOBODY}': 'c',
  'd${NOBODY-deep}': 'ddeep',
  'e${EMPTY:-east}': 'eeast',
  'f${EMPTY-far}': 'f',
  'g${SEA:-far}${SEA-far}': 'gblueblue',
  'h${SEA:+hot}${EMPTY+here}': 'hhothere',
  'i${EMPTY:+ice}${NOBODY+isle}': 'i',
  'j${SEA:?no}${EMPTY?no}': 'jblue',
  'k${NOBODY:-${SEA}}k': 'kbluek',
  'l${NOBODY:-l${EMPTY:-m}n}o': 'llmno',
  'm${NOBODY:-$SEA}m': 'mbluem',
  'n${NOBODY}$SEA${SEA}n': 'nbluebluen',
  'o$NOBODY-$SEA_${_p1-p}': 'o-p',
};

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
  check(
    'box/compose/compose-call',
    ['choice/box/97', 'choice/box/102'],
    'passes project, file and env file to Compose, and none of its own variables',
    async (box) => {
      box.environment.placeInstalled({ name: 'anchor', manifest: manifest('anchor'), env: 'A=1\n' });
      const own = { MYSTERY: 'x', A: 'from the server' };
      await box.start({ env: { ...own, DOCKER_CLI_HINTS: 'false' } });
      status(await box.changeSettings('anchor', {}), 200);
      equal('A in the container', (await runningContainer(box, 'anchor')).env.A, '1');
      const up = box.environment.docker.calls().find((call) => call.argv.includes('up'));
      const words = up?.argv.join(' ') ?? '';
      for (const flag of [
        / (-p|--project-name)[ =]anchor/,
        / (-f|--file)[ =]\S*compose\.yaml/,
        / --env-file[ =]\S*\.env/,
      ]) {
        ensure(`compose up has ${flag}`, flag.test(` ${words}`), words);
      }
      for (const name of ['DOCKER_CLI_HINTS', 'HOME', 'PATH'])
        ensure(`it is given ${name}`, up?.names.includes(name) === true, up?.names);
      const allowed = /^(PATH|HOME|PWD|OLDPWD|SHLVL|_|DOCKER_.*|LANG|LC_.*)$/;
      equal(
        'other variables',
        up?.names.filter((name) => !allowed.test(name)),
        [],
      );
    },
  ),
  check(
    'box/compose/project-name',
    ['choice/box/98'],
    'takes the project name from .env, else from the Compose file, else from the directory',
    async (box) => {
      const named = `name: chosen\n${composeOf('registry.example/a:1')}`;
      box.environment.placeInstalled({
        name: 'a',
        manifest: manifest('a'),
        compose: named,
        env: 'COMPOSE_PROJECT_NAME=other\n',
      });
      box.environment.placeInstalled({ name: 'b', manifest: manifest('b'), env: 'COMPOSE_PROJECT_NAME=bee\n' });
      box.environment.placeInstalled({ name: 'd', manifest: manifest('d'), compose: named });
      placeInstalled(box, 'c');
      const plain = composeOf('registry.example/a:1');
      const overrides = [
        ['e', `name: early\n${plain}`, plain],
        ['f', plain, `name: late\n${plain}`],
        ['g', `name: first\n${plain}`, `name: second\n${plain}`],
      ] as const;
      for (const [name, compose, override] of overrides) {
        const files = { 'compose.override.yaml': box.environment.composeText(override) };
        box.environment.placeInstalled({ name, manifest: manifest(name), compose, files });
      }
      status(await box.changeSettings('c', {}), 200);
      const projects = (await box.environment.docker.containers()).map((one) => one.project);
      const expected = ['bee', 'c', 'chosen', 'early', 'late', 'other', 'second'];
      equal('the projects that run', projects.sort(), expected);
      status(await box.changeSettings('c', {}), 200);
      for (const name of ['e', 'f', 'g']) status(await box.remove(name), 200);
      const left = (await box.environment.docker.containers()).map((one) => one.project);
      equal('the projects that are left', left.sort(), ['bee', 'c', 'chosen', 'other']);
    },
  ),
  check(
    'box/compose/project-name-variables',
    ['choice/box/98'],
    'substitutes variables of .env in the project name, like Compose',
    async (box) => {
      for (const [index, name] of Object.keys(projectNames).entries()) {
        box.environment.placeInstalled({
          name: `app-${index}`,
          manifest: manifest(`app-${index}`),
          compose: `name: "${name}"\n${composeOf('registry.example/a:1')}`,
          env: `SEA=blue\nEMPTY=\n`,
        });
      }
      status(await box.changeSettings('app-0', {}), 200);
      const projects = (await box.environment.docker.containers()).map((one) => one.project);
      equal('the projects that run', projects.sort(), Object.values(projectNames).sort());
      status(await box.remove('app-0'), 200);
      equal('containers of a removed one', await containersOf(box, Object.values(projectNames)[0] ?? ''), []);
      equal('the others', (await box.environment.docker.containers()).length, projects.length - 1);
    },
  ),
  check('box/compose/override-file', ['choice/box/99'], "applies the owner's override file", async (box) => {
    const files = { 'compose.override.yaml': 'services:\n  web:\n    environment:\n      EXTRA: "on"\n' };
    box.environment.placeInstalled({ name: 'anchor', manifest: manifest('anchor'), files });
    status(await box.changeSettings('anchor', {}), 200);
    equal('EXTRA in the container', (await runningContainer(box, 'anchor')).env.EXTRA, 'on');
  }),
  check(
    'box/compose/override-of-one',
    ['choice/box/99', 'choice/box/104'],
    'keeps the services and the restart policy that the override file does not mention',
    async (box) => {
      const service = (name: string, restart: string) =>
        `  ${name}:\n    image: registry.example/${name}:1\n    restart: ${restart}\n`;
      box.environment.placeInstalled({
        name: 'anchor',
        manifest: manifest('anchor'),
        compose: `services:\n${service('web', 'unless-stopped')}${service('job', '"no"')}`,
        files: { 'compose.override.yaml': 'services:\n  web:\n    environment:\n      EXTRA: "on"\n' },
      });
      status(await box.changeSettings('anchor', {}), 200);
      await box.environment.docker.finish((await runningContainer(box, 'anchor', 'job')).name);
      status(await box.changeSettings('anchor', {}), 200);
      equal('whether the job runs', (await box.environment.docker.project('anchor')).job?.running, false);
      await box.environment.docker.finish((await runningContainer(box, 'anchor')).name);
      status(await box.changeSettings('anchor', {}), 200);
      await runningContainer(box, 'anchor');
    },
  ),
  check(
    'box/compose/files-that-it-names',
    ['choice/box/104'],
    'reconciles an app if a file that its Compose file names has changed',
    async (box) => {
      const compose = `${composeOf('registry.example/a:1')}    env_file:
      - \${PLACE:-one}.env
      - path: two.env
      - t$$hree.env
    configs: [shape]
    secrets: [key]
  job:
    image: registry.example/job:1
    env_file: job.env
configs:
  shape: { file: ./shape.conf }
secrets:
  key: { file: ./key.txt }
`;
      const files = {
        'one.env': 'ONE=1\n',
        'two.env': 'TWO=1\n',
        't$hree.env': 'THREE=1\n',
        'job.env': 'JOB=1\n',
        'shape.conf': '1',
        'key.txt': '1',
        'compose.override.yaml': box.environment.composeText(
          'services:\n  more:\n    image: registry.example/more:1\n    env_file: over.env\n',
        ),
        'over.env': 'OVER=1\n',
      };
      const folder = box.environment.placeInstalled({ name: 'anchor', manifest: manifest('anchor'), compose, files });
      status(await box.changeSettings('anchor', {}), 200);
      const inEnvironment = { ONE: 'one.env', TWO: 'two.env', THREE: 't$hree.env' };
      for (const [name, file] of Object.entries(inEnvironment)) {
        writeFileSync(join(folder, file), `${name}=2\n`);
        status(await box.changeSettings('anchor', {}), 200);
        equal(`${name} in the container`, (await runningContainer(box, 'anchor')).env[name], '2');
      }
      for (const [service, name, file] of [
        ['job', 'JOB', 'job.env'],
        ['more', 'OVER', 'over.env'],
      ] as const) {
        writeFileSync(join(folder, file), `${name}=2\n`);
        status(await box.changeSettings('anchor', {}), 200);
        equal(`${name} in the container`, (await runningContainer(box, 'anchor', service)).env[name], '2');
      }
      for (const file of ['shape.conf', 'key.txt']) {
        const before = box.environment.docker.calls().length;
        writeFileSync(join(folder, file), '2');
        status(await box.changeSettings('anchor', {}), 200);
        const ups = box.environment.docker
          .calls()
          .slice(before)
          .filter(({ argv }) => argv.includes('up'));
        equal(`calls of compose up after ${file} changed`, ups.length, 1);
      }
    },
  ),
  check(
    'box/compose/container-names',
    ['choice/box/111', 'choice/box/99'],
    'reports actions by service, whatever the containers are called',
    async (box) => {
      const service = (name: string, more = '') => `  ${name}:\n    image: registry.example/s:1\n${more}`;
      // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
      const named = '    container_name: tide-${MARK:-x}\n';
      const compose = `services:\n${service('db', named)}${service('front-desk_2')}${service('many', '    scale: 10\n')}`;
      const files = { 'compose.override.yaml': 'services:\n  db:\n    environment:\n      EXTRA: "on"\n' };
      const app = { name: 'anchor', manifest: manifest('anchor'), compose, files, env: 'MARK=7\n' };
      // A box that starts with the app pulls its images and brings it up before the change.
      await box.get('/api/apps');
      box.environment.placeInstalled(app);
      const answer = await box.changeSettings('anchor', {});
      status(answer, 200);
      equal(
        'what was done to which',
        actionsOf(answer)
          .map(({ kind, target }) => `${kind} ${target}`)
          .sort(),
        ['db', 'front-desk_2', 'many'].map((name) => `create anchor/${name}`),
      );
      equal('the name of its own', (await runningContainer(box, 'anchor', 'db')).name, 'tide-7');
    },
  ),
  check(
    'box/compose/same-project',
    ['choice/box/100'],
    'reports a second app of the same project as an error and does not touch it',
    async (box) => {
      const named = (image: string) => `name: shared\n${composeOf(image)}`;
      box.environment.placeInstalled({
        name: 'anchor',
        manifest: manifest('anchor'),
        compose: named('registry.example/a:1'),
      });
      box.environment.placeInstalled({
        name: 'buoy',
        manifest: manifest('buoy'),
        compose: named('registry.example/b:1'),
      });
      const answer = await box.changeSettings('anchor', {});
      status(answer, 207);
      const errors = actionsOf(answer).filter((action) => action.kind === 'error');
      equal('the app with an error', [...new Set(errors.map(appOf))], ['buoy']);
      equal('the image that runs', (await runningContainer(box, 'shared')).image, 'registry.example/a:1');
    },
  ),
];
