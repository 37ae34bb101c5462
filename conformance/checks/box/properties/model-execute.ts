import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exchange } from '../../../kernel/exchange.ts';
import { ensure, equal, list, record } from '../../../kernel/expect.ts';
import type { ManualStep as Told } from '../../../kernel/journal.ts';
import { containersOf, env, installedFolder } from '../disk.ts';
import { type ByHand, type Command, step } from './box-model.ts';
import { bundle, imageOf, type ModelSession, written } from './model-apps.ts';

/** Runs a command. Returns the response if it is a request. */
export async function execute(session: ModelSession, one: Command): Promise<Exchange | null> {
  const { box, nameOf } = session;
  if (one.act === 'restart') {
    box.journal.push({ by: 'hand', description: 'stop the server and start it again' });
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
      return update(session, one);
    case 'remove':
      return box.remove(name);
    default:
      await actByHand(session, one);
      return null;
  }
}

/** Verifies that the response of an update matches the images. */
async function update({ box, model, nameOf }: ModelSession, { app: label, newer }: { app: string; newer: boolean }) {
  const name = nameOf(label);
  const image = imageOf(name, model.installed[label]?.release ?? 1);
  const isThere = model.installed[label] !== undefined;
  if (newer && isThere) {
    box.journal.push({ by: 'hand', description: `the registry gets a newer image of ${image}` });
    await box.environment.docker.advance(image);
  }
  const [before] = await containersOf(box, name);
  const answer = await box.updateApp(name);
  if (!isThere) return answer;
  const to = await box.environment.docker.imageId(image);
  if (newer) ensure('the newer image was pulled', to !== before?.imageId, to);
  const changes = newer && before !== undefined ? [{ service: 'web', from: before.imageId, to }] : [];
  const { services, updated } = record(answer);
  const said = list({ json: services }).map(({ service, from, to: id }) => ({ service, from, to: id }));
  equal('the services that an update tells of', said, changes);
  equal('updated', updated, changes.length > 0);
  if (before !== undefined) equal('the image that runs', (await containersOf(box, name))[0]?.imageId, to);
  return answer;
}

async function actByHand(session: ModelSession, one: ByHand): Promise<void> {
  const { box, nameOf, model } = session;
  const name = nameOf(one.app);
  const folder = installedFolder(box, name);
  const shown = `$INSTALLED_APPS/${name}`;
  const tell = (more: Pick<Told, 'files' | 'commands'>) =>
    box.journal.push({ by: 'hand', description: `${one.act} of ${name}`, ...more });
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
      for (const { id } of await containersOf(box, name)) await box.environment.docker.removeContainer(id);
      return;
    case 'delete folder':
      tell({ commands: [`rm -r "${shown}"`] });
      return rmSync(folder, { recursive: true });
    case 'break manifest':
      return write('manifest.json', '{"name": "torn');
    case 'break compose':
      return write('compose.yaml', 'services: [torn\n');
    case 'new release':
      return bundle({ ...session, model: step(model, one).after }, one.app);
  }
}
