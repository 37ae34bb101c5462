// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Compose, not of JavaScript.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionsOf, appOf } from '../../checks/box/actions.ts';
import { composeOf, declared, manifest, placeInstalled } from '../../checks/box/apps.ts';
import type { BoxContext } from '../../checks/box/context.ts';
import { byHand, containersOf, runningContainer } from '../../checks/box/disk.ts';
import { type Check, check } from '../../kernel/check.ts';
import { equal, record, status } from '../../kernel/expect.ts';

/** Compose's result for a value if `SEA` is `blue` and `EMPTY` is empty. */
const variables: Readonly<Record<string, string>> = {
  $SEA: 'blue',
  '$SEA-green': 'blue-green',
  'a$NOBODY.b': 'a.b',
  '${SEA}': 'blue',
  '"${SEA}s"': 'blues',
  "'${SEA}'": '${SEA}',
  'a${NOBODY}b': 'ab',
  'a${NOBODY-calm}b': 'acalmb',
  '${NOBODY:-calm}': 'calm',
  '${EMPTY-calm}.': '.',
  '${EMPTY:-calm}': 'calm',
  '${SEA:-calm}': 'blue',
  '${SEA-calm}': 'blue',
  '${SEA:+ahoy}': 'ahoy',
  '${EMPTY+ahoy}': 'ahoy',
  '${EMPTY:+ahoy}.': '.',
  '${NOBODY+ahoy}.': '.',
  '${SEA:?none}': 'blue',
  '${EMPTY?none}.': '.',
  '${NOBODY:-${SEA}}': 'blue',
  '${NOBODY:-${EMPTY:-deep}}er': 'deeper',
  '${SEA:+${SEA}} and ${EMPTY:-b}': 'blue and b',
  '"a\\nb\\tc\\\\d\\"e"': 'a\nb\tc\\d"e',
  '"\\$SEA"': '$SEA',
  "'a\\nb'": 'a\\nb',
};

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

const serviceOf = (name: string, more = '') => `services:\n  ${name}:\n    image: registry.example/${name}:1\n${more}`;

/** Starts a Compose project by hand from a new folder. */
async function bringUp(box: BoxContext, folder: string, project: string, compose: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'compose.yaml'), box.environment.composeText(compose));
  await byHand(box, 'docker', folder, 'compose', '-p', project, 'up', '-d');
}

/** What the real Compose and the real engine decide. */
export const checks: Check<BoxContext>[] = [
  check(
    'box/dotenv/variables',
    ['choice/box/78'],
    'substitutes variables and escapes like Compose, so that the shown value is that of the container',
    async (box) => {
      const rows = Object.entries(variables).map(([text, value], index) => ({
        name: `V${index}`,
        text,
        value,
      }));
      box.environment.placeInstalled({
        name: 'lagoon',
        manifest: manifest('lagoon', { settings: declared(...rows.map(({ name }) => name)) }),
        env: ['SEA=blue', 'EMPTY=', ...rows.map(({ name, text }) => `${name}=${text}`), ''].join('\n'),
      });
      const view = record(await box.get('/api/apps/lagoon/settings'));
      const values = new Map(
        ((view.settings ?? []) as { name: string; value: string }[]).map((one) => [one.name, one.value]),
      );
      status(await box.changeSettings('lagoon', {}), 200);
      const { env: given } = await runningContainer(box, 'lagoon');
      for (const { name, text, value } of rows) {
        equal(`shown of ${text}`, values.get(name), value);
        equal(`given to the container of ${text}`, given[name], value);
      }
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
  check(
    'box/reconcile/never-pulls-newer',
    ['choice/box/104'],
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
    'box/reconcile/projects-of-others',
    ['choice/box/109'],
    'removes only projects of apps that it started and whose folder is gone',
    async (box) => {
      placeInstalled(box, 'anchor', 'buoy', 'moved', 'gone');
      const apps = box.environment.installedApps;
      const elsewhere = join(box.environment.root, 'elsewhere');
      await bringUp(box, join(elsewhere, 'moved'), 'moved', composeOf('registry.example/other:1'));
      rmSync(join(elsewhere, 'moved'), { recursive: true });
      status(await box.changeSettings('anchor', {}), 200);
      equal('what runs', (await runningContainer(box, 'moved')).image, 'registry.example/moved:1.4');
      await bringUp(box, join(elsewhere, 'standing'), 'standing', serviceOf('web'));
      await bringUp(box, join(elsewhere, 'buoy'), 'buoy', serviceOf('guest'));
      await bringUp(box, join(elsewhere, 'gone'), 'lost', serviceOf('web'));
      await bringUp(box, join(apps, 'stranger'), 'stranger', serviceOf('web'));
      await bringUp(box, join(apps, 'anchor', 'buoy'), 'deep', serviceOf('web'));
      const folders = [join(elsewhere, 'gone'), join(apps, 'anchor', 'buoy'), join(apps, 'stranger')];
      for (const folder of [...folders, join(apps, 'buoy'), join(apps, 'gone')]) rmSync(folder, { recursive: true });
      const answer = await box.changeSettings('anchor', {});
      status(answer, 200);
      const toldOf = new Set(actionsOf(answer).map(appOf));
      equal('the apps that are told of', [...toldOf].sort(), ['anchor', 'gone', 'moved']);
      const left = ['anchor', 'buoy', 'buoy', 'deep', 'lost', 'moved', 'standing', 'stranger'];
      equal(
        'the projects that are left',
        (await box.environment.docker.containers()).map((one) => one.project).sort(),
        left,
      );
    },
  ),
];
