import type { CommandResult } from '../../lib/command-result.ts';
import { composeFilesOf } from '../app-files/project.ts';
import type { AppsBox } from '../apps/ports.ts';
import { ContainersFailed } from '../core.ts';
import { lookAtContainers } from '../engine/observer.ts';
import { watchContainers, withLog } from '../engine/stay-up.ts';
import { momentText } from '../rules/text/amounts.ts';
import { fillBeside, foldersOf, planNewVolumes, refuseWithoutRoom } from './fill-folders.ts';
import type { Rehearsal } from './ports.ts';
import { findBackupOf } from './restore-app.ts';
import type { AppFacts } from './rules/app-facts.ts';
import { rehearsalModel } from './rules/rehearsal-model.ts';
import { toldFailure } from './told-failure.ts';

/** `impossible`: this app cannot run beside itself. */
export type Rehearsed = { end: 'passed' | 'failed' | 'impossible'; text: string };

/**
 * Proves the latest backup of an app: restores it into volumes and a project of another name, which nobody reaches,
 * waits until it stays up, and removes all of it. The outcome is noted.
 */
export async function rehearse(box: AppsBox, app: string): Promise<Rehearsed> {
  const { rehearsal, runs } = box.backup;
  const rehearsed = await rehearsal.alone(() => tryRehearsal(box, app));
  if (rehearsed === null) return { end: 'impossible', text: 'another rehearsal is under way; try again later' };
  const { end, text } = rehearsed;
  const failure = end === 'failed' ? `${text}; try it again with \`boxgate box backup rehearse ${app}\`` : null;
  await runs.change((before) => ({
    ...before,
    rehearsals: { ...before.rehearsals, [app]: { at: box.now().toISOString(), failure } },
  }));
  return rehearsed;
}

export async function rehearseCommand(box: AppsBox, app: string): Promise<CommandResult> {
  const { end, text } = await rehearse(box, app);
  return { status: end === 'passed' ? 0 : 1, text: `${app}: ${text}` };
}

/** Removes what rehearsals that were killed have left. Does nothing while one is under way. */
export async function clearRehearsals({ backup: { rehearsal } }: Pick<AppsBox, 'backup'>): Promise<void> {
  const left = rehearsal.left();
  if (left.length === 0) return;
  await rehearsal.alone(async () => {
    for (const one of left) await one.clear();
  });
}

async function tryRehearsal(box: AppsBox, app: string): Promise<Rehearsed> {
  const rehearsal = box.backup.rehearsal.of(app);
  try {
    await rehearsal.clear();
    await rehearsal.begin();
    return await rehearseLatest(box, app, rehearsal).finally(() => rehearsal.clear());
  } catch (error) {
    return { end: 'failed', text: `the rehearsal of its backup failed: ${toldFailure(error)}` };
  }
}

async function rehearseLatest(box: AppsBox, app: string, rehearsal: Rehearsal): Promise<Rehearsed> {
  const { snapshot, facts } = await findBackupOf(box, app, '');
  await refuseWithoutRoom(box, foldersOf(box, facts));
  await restoreBeside(box, snapshot.id, facts, rehearsal);

  const { project, directory } = rehearsal;
  const files = composeFilesOf(box, directory).map((file) => `${directory}/${file}`);
  if (files.length === 0) return { end: 'impossible', text: 'cannot be rehearsed: it has no Compose file' };
  const envFile = box.folders.stamp(directory, '.env') === null ? null : `${directory}/.env`;
  const { config } = await box.containers.config({ directory, files, envFile }, project);
  const found = rehearsalModel(config, {
    project,
    directory,
    formerly: [facts.directory, box.folders.path(app)],
    images: await imagesHere(box, facts),
    unnamed: facts.volumes.flatMap(({ key, at }) => (at === undefined ? [] : [{ key, at }])),
    real: box.disks.look().real,
  });
  if (!found.ok) return { end: 'impossible', text: `cannot be rehearsed: ${found.problem}` };
  const file = await rehearsal.write(found.model);
  const before = await lookAtContainers(box);
  await box.containers.up({ directory, files: [file], envFile: null, project });
  const { faults, starting } = await watchContainers(box, { project, before, by: 'update' });
  const [fault] = faults;
  if (fault !== undefined) throw new ContainersFailed(await faultText(box, app, fault), false);
  if (starting.length > 0) throw new ContainersFailed(`${starting[0]?.name} does not become healthy`, false);
  const of = `the backup of ${momentText(snapshot.time)}, version ${facts.version}`;
  const lacks = facts.leftOut.filter(({ isReadOnly }) => !isReadOnly).map(({ what, why }) => `${what} (${why})`);
  const without = lacks.length === 0 ? '' : `, without what is not copied: ${lacks.join(', ')}`;
  return { end: 'passed', text: `${of}, was restored beside the app and stays up${without}` };
}

/** Without an installed app, its secrets in the log would not be known. */
async function faultText(box: AppsBox, app: string, fault: Parameters<typeof withLog>[2]): Promise<string> {
  return box.apps.one('installed', app) === null ? fault.problem : withLog(box, app, fault);
}

async function restoreBeside(box: AppsBox, id: string, facts: AppFacts, rehearsal: Rehearsal): Promise<void> {
  const { files } = box.backup;
  const own = files.plan(rehearsal.directory, facts.directory, null);
  const folders = [own, ...(await planNewVolumes(box, facts, rehearsal.project))];
  await fillBeside(box, id, folders);
  await files.swap(folders);
  await files.discard(folders);
  // A note of the app's own volumes would give them to the rehearsal.
  await files.writeKept(rehearsal.directory, null);
}

async function imagesHere(box: AppsBox, { images }: AppFacts): Promise<Map<string, string>> {
  const here = await box.containers.imageIds([...new Set(images.map(({ id }) => id))]);
  return new Map(images.filter(({ id }) => here.has(id)).map(({ service, id }) => [service, id]));
}
