import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { AppFiles } from '../../fakes/app-files.ts';
import { type Check, check } from '../check.ts';
import type { Exchange } from '../exchange.ts';
import { equal, holds, list, record, status } from '../expect.ts';
import type { ByHand as Told } from '../journal.ts';
import {
  type BoxModel,
  type ByHand,
  boxWith,
  type Command,
  isDecided,
  placeholder,
  step,
  type Values,
} from '../models/box.ts';
import { runSeries, seriesOf } from '../models/series.ts';
import { holdsForAll, type Sample } from '../property.ts';
import { allSettings, manifest } from './apps.ts';
import type { Box } from './box.ts';
import { containersOf, env, installedFolder } from './disk.ts';

/** One app with an example, one without, and one that has to be given its key. */
const examples: Readonly<Record<string, Values>> = {
  atoll: { GREETING: 'from the example', KEPT: 'k e p t' },
  brine: {},
  cove: { SEATS: '9', VAULT_KEY: placeholder },
};

/** They stand installed from the beginning, and the first command has them started. */
const placed = ['atoll', 'brine'];
const start: Command = { act: 'change', app: 'atoll', settings: {} };

const app = fc.constantFrom('atoll', 'brine', 'cove');
const anyApp = fc.oneof({ weight: 19, arbitrary: app }, { weight: 1, arbitrary: fc.constant('nobody') });
const keyOfVault = 'k3y-of-the-vault';
const keys = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(`${keyOfVault}-1`, `${keyOfVault}-2`, `${keyOfVault}-3`) },
  { weight: 1, arbitrary: fc.constant(placeholder) },
);
const settings = fc.record(
  {
    GREETING: fc.constantFrom('hello', 'two words', 'a#b', '= ü', null),
    SEATS: fc.constantFrom('5', 12),
    VAULT_KEY: keys,
    NICK: fc.constantFrom('nick', ''),
  },
  { requiredKeys: [] },
);
const act = <A extends Command['act']>(...acts: A[]) => fc.constantFrom(...acts);
const edit = fc.record({
  act: act('edit env'),
  app,
  key: fc.constantFrom('GREETING', 'VAULT_KEY', 'OWNED'),
  value: fc.constantFrom('by hand', 'mended'),
});
const command = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: act('install'), app: anyApp, settings }) },
  { weight: 6, arbitrary: fc.record({ act: act('change'), app: anyApp, settings }) },
  { weight: 4, arbitrary: fc.record({ act: act('update'), app: anyApp, newer: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ act: act('remove'), app: anyApp }) },
  { weight: 1, arbitrary: fc.record({ act: act('restart') }) },
  { weight: 3, arbitrary: edit },
  { weight: 3, arbitrary: fc.record({ act: act('break compose'), app }) },
  { weight: 1, arbitrary: fc.record({ act: act('break manifest'), app }) },
  { weight: 2, arbitrary: fc.record({ act: act('new release'), app }) },
  { weight: 2, arbitrary: fc.record({ act: act('delete container', 'delete folder'), app }) },
) as fc.Arbitrary<Command>;

/** What stands for the model's labels: names that no other series of commands has. After `end` no command is given. */
type Driven = { box: Box; model: BoxModel; nameOf: (label: string) => string; end: number };

const labels = [...Object.keys(examples), 'nobody'];

const imageOf = (name: string, release: number) => `registry.example/${name}:${release}`;
const versionOf = (release: number) => `${release}.0.0`;

/** The app without an example reads one value on its own; the others take the whole file. */
function composeOf(name: string, release: number, example: Values): string {
  const source =
    Object.keys(example).length > 0
      ? '    env_file: .env\n'
      : '    environment:\n      GREETING: $' + '{GREETING-none}\n';
  return `services:\n  web:\n    image: ${imageOf(name, release)}\n    restart: unless-stopped\n${source}`;
}

/** No value needs quotes, so that all readers of `.env` agree on it. */
const written = (values: Values) =>
  Object.entries(values)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');

/** The newest release of an app, as a directory. */
function filesOf({ model, nameOf }: Driven, label: string): AppFiles | null {
  const bundled = model.bundled[label];
  if (bundled === undefined) return null;
  const { example, release } = bundled;
  const name = nameOf(label);
  return {
    name,
    manifest: manifest(name, { version: versionOf(release), settings: allSettings }),
    compose: composeOf(name, release, example),
    ...(Object.keys(example).length > 0 ? { envExample: written(example) } : {}),
  };
}

function bundle(driven: Driven, label: string) {
  const files = filesOf(driven, label);
  if (files !== null) driven.box.world.bundle(files);
}

function place(driven: Driven, label: string) {
  const files = filesOf(driven, label);
  if (files !== null) driven.box.world.placeInstalled({ ...files, env: written(examples[label] ?? {}) });
}

/** Gives the command; its answer, where it is a request. */
async function carryOut(driven: Driven, one: Command): Promise<Exchange | null> {
  const { box, nameOf } = driven;
  if (one.act === 'restart') {
    box.journal.push({ by: 'hand', does: 'stop the server and start it again' });
    await box.restart();
    return null;
  }
  const name = nameOf(one.app);
  switch (one.act) {
    case 'install':
      return box.install(name, one.settings);
    case 'change':
      return box.changeSettings(name, one.settings);
    case 'update':
      return update(driven, one);
    case 'remove':
      return box.remove(name);
    default:
      await actByHand(driven, one);
      return null;
  }
}

/** What an update says has to be what became of the images. */
async function update(
  { box, model, nameOf }: Driven,
  { app: label, newer }: { app: string; newer: boolean },
) {
  const name = nameOf(label);
  const image = imageOf(name, model.installed[label]?.release ?? 1);
  const isThere = model.installed[label] !== undefined;
  if (newer && isThere) {
    box.journal.push({ by: 'hand', does: `the registry gets a newer image of ${image}` });
    await box.world.docker.advance(image);
  }
  const [before] = await containersOf(box, name);
  const answer = await box.updateApp(name);
  if (!isThere) return answer;
  const to = await box.world.docker.imageId(image);
  if (newer) holds('the newer image was pulled', to !== before?.imageId, to);
  const changes = newer && before !== undefined ? [{ service: 'web', from: before.imageId, to }] : [];
  const { services, updated } = record(answer);
  const said = list({ json: services }).map(({ service, from, to: id }) => ({ service, from, to: id }));
  equal('the services that an update tells of', said, changes);
  equal('updated', updated, changes.length > 0);
  if (before !== undefined) equal('the image that runs', (await containersOf(box, name))[0]?.imageId, to);
  return answer;
}

async function actByHand(driven: Driven, one: ByHand): Promise<void> {
  const { box, nameOf, model } = driven;
  const name = nameOf(one.app);
  const folder = installedFolder(box, name);
  const shown = `$INSTALLED_APPS/${name}`;
  const tell = (more: Pick<Told, 'files' | 'commands'>) =>
    box.journal.push({ by: 'hand', does: `${one.act} of ${name}`, ...more });
  const write = (file: string, text: string) => {
    tell({ files: { [`${shown}/${file}`]: text } });
    writeFileSync(join(folder, file), text);
  };
  switch (one.act) {
    case 'edit env': {
      const values = existsSync(join(folder, '.env')) ? env(box, name) : {};
      return write('.env', written({ ...values, [one.key]: one.value }));
    }
    case 'delete container':
      tell({
        commands: [`docker ps -aq --filter label=com.docker.compose.project=${name} | xargs docker rm -f`],
      });
      for (const { id } of await containersOf(box, name)) await box.world.docker.removeContainer(id);
      return;
    case 'delete folder':
      tell({ commands: [`rm -r "${shown}"`] });
      return rmSync(folder, { recursive: true });
    case 'break manifest':
      return write('manifest.json', '{"name": "torn');
    case 'break compose':
      return write('compose.yaml', 'services: [torn\n');
    case 'new release':
      return bundle({ ...driven, model: step(model, one).after }, one.app);
  }
}

/** What an owner finds is what the model has, wherever the model has something. */
async function agree(driven: Driven): Promise<void> {
  const { box, model, nameOf } = driven;
  await agreeOnLists(driven);
  for (const label of labels) {
    const name = nameOf(label);
    const app = model.installed[label];
    await agreeOnView(driven, label);
    if (app !== undefined && Object.keys(app.env).length > 0)
      agreeOnValues(`.env of ${label}`, env(box, name), app.env);
    const running = model.running[label] ?? 'nothing';
    if (running === 'open') continue;
    const containers = await containersOf(box, name);
    equal(`containers of ${label}`, containers.length, running === 'nothing' ? 0 : 1);
    const [container] = containers;
    if (running === 'nothing' || container === undefined) continue;
    holds(`the container of ${label} runs`, container.running);
    equal(`the image of ${label}`, container.image, imageOf(name, running.release));
    const hasFile = Object.keys(examples[label] ?? {}).length > 0;
    agreeOnValues(
      `environment of ${label}`,
      container.env,
      hasFile ? running.env : readAlone(driven, running.env),
    );
  }
}

/** What the app without an example gets: whether a default that nobody submitted is in its `.env` is choice/box/81. */
function readAlone({ box }: Driven, { GREETING }: Values): Values {
  if (GREETING === undefined) return box.profile ? { GREETING: 'none' } : {};
  return { GREETING };
}

function agreeOnValues(what: string, found: Values, expected: Values) {
  const keys = Object.keys(expected);
  equal(what, Object.fromEntries(keys.map((key) => [key, found[key]])), expected);
}

async function agreeOnLists({ box, model, nameOf }: Driven): Promise<void> {
  const entries = list(await box.get('/api/apps'));
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  equal('the installed apps', [...byName.keys()].sort(), Object.keys(model.installed).map(nameOf).sort());
  equal('an entry for each', entries.length, byName.size);
  for (const [label, { condition, release }] of Object.entries(model.installed)) {
    const entry = byName.get(nameOf(label)) ?? {};
    if (condition === 'unreadable') equal(`ok of ${label}`, entry.ok, false);
    if (condition === 'whole') equal(`version of ${label}`, entry.version, versionOf(release));
  }
  const isOpen = (label: string) =>
    ['refused', 'unreadable'].includes(model.installed[label]?.condition ?? '');
  const available = list(await box.get('/api/bundled')).map((entry) => String(entry.name));
  const expected = Object.keys(model.bundled).filter((label) =>
    isOpen(label) ? available.includes(nameOf(label)) : model.installed[label] === undefined,
  );
  equal('the available apps, sorted', available, expected.map(nameOf).sort());
}

async function agreeOnView({ box, model, nameOf }: Driven, label: string): Promise<void> {
  const app = model.installed[label];
  // Whether the bundle steps in for a broken app is open: choice/box/50.
  if (app?.condition === 'refused' || (app?.condition === 'unreadable' && !box.profile)) return;
  const answer = await box.get(`/api/apps/${nameOf(label)}/settings`);
  const source = app?.env ?? model.bundled[label]?.example;
  if (source === undefined || app?.condition === 'unreadable') return status(answer, 404);
  status(answer, 200);
  equal(`installed of ${label}`, record(answer).installed, app !== undefined);
  for (const { name, type, value, default: otherwise } of list({ json: record(answer).settings })) {
    const kept = source[String(name)];
    // Whether an empty value is one, and whether a default is shown before an install: choice/box/80 and 82.
    const isOpen = !box.profile && (kept === '' || (kept === undefined && app === undefined));
    if (type === 'password') equal(`${name} of ${label}`, value, '');
    else if (!isOpen) equal(`${name} of ${label}`, value, kept ?? otherwise ?? '');
  }
}

async function follow(driven: Driven, one: Command): Promise<void> {
  const { allowed, after } = step(driven.model, one);
  const answer = await carryOut(driven, one);
  if (answer !== null) {
    const asked = JSON.stringify(one);
    holds(
      `${asked} is answered with ${allowed.join(' or ')}`,
      allowed.includes(answer.status),
      answer.status,
    );
    if (driven.box.profile) equal(`the answer to ${asked}`, answer.status, allowed[0]);
    holds('no answer has a password', !answer.text.includes(keyOfVault), answer.text);
  }
  driven.model = after;
  await agree(driven);
}

const series = seriesOf<Command, Driven>(
  command,
  20,
  ({ box, model, end }, one) => Date.now() < end && isDecided(model, one, box.profile),
  follow,
);

async function drive(box: Box, run: number, end: number, commands: Sample<typeof series>): Promise<void> {
  const nameOf = (label: string) => `${label}-${run}`;
  const driven: Driven = { box, model: boxWith(examples, placed), nameOf, end };
  try {
    for (const label of labels) bundle(driven, label);
    for (const label of placed) place(driven, label);
    await follow(driven, start);
    await runSeries(driven, commands);
  } finally {
    await clear(driven);
  }
}

/** Nothing of a series of commands is left for the next. */
async function clear({ box, nameOf }: Driven): Promise<void> {
  for (const name of labels.map(nameOf)) {
    for (const parent of [box.world.installedApps, box.world.bundledApps])
      rmSync(join(parent, name), { recursive: true, force: true });
    for (const { id } of await containersOf(box, name)) await box.world.docker.removeContainer(id);
  }
}

export const checks: Check[] = [
  check(
    'box/model/random-commands',
    [
      'box/states/1',
      'box/states/2',
      'box/states/4',
      'box/states/5',
      'box/states/6',
      'box/states/8',
      'box/states/9',
      'box/service/13',
      'box/service/18',
      'box/service/19',
      'box/service/21',
      'box/post-rules/3',
      'box/post-rules/4',
      'box/post-rules/14',
    ],
    'answers random commands, and what an owner does by hand between them, as a plain model of the requirements does',
    async (box) => {
      let run = 0;
      // A slow box carries out fewer commands: its containers may take their time.
      const end = Date.now() + 45_000;
      await holdsForAll(box, 'the box is as the model', series, 4, (commands) => {
        run += 1;
        return drive(box, run, end, commands);
      });
    },
    { timeoutMs: 180_000 },
  ),
];
