import type { CommandResult } from '../../lib/command-result.ts';
import { attempt } from '../../lib/ignore.ts';
import { Refusal } from '../api/refusals.ts';
import { freePortsFor } from '../app-files/free-ports.ts';
import { plannedProject } from '../app-files/planned-project.ts';
import { refuseOtherOwner } from '../app-files/project.ts';
import { refusePortsOf } from '../app-files/taken-ports.ts';
import type { AppsBox } from '../apps/ports.ts';
import { carryOut } from '../change/carry-out.ts';
import { finishBackup, refuseWaiting } from '../change/finish.ts';
import type { ChangeJournal } from '../change/rules/journal.ts';
import { ContainersFailed, maxEnvBytes } from '../core.ts';
import { reconcile } from '../engine/reconcile.ts';
import { appOutcome } from '../engine/rules/outcomes.ts';
import { mergeDotenv, readDotenv } from '../rules/dotenv/dotenv.ts';
import { isAppName, originFile } from '../rules/manifest/app-name.ts';
import { momentText } from '../rules/text/amounts.ts';
import { refuseDisturbing } from './beside.ts';
import { fillBeside, foldersOf, newVolumes, planNewVolumes, refuseWithoutRoom } from './fill-folders.ts';
import { keepVolumes } from './kept-volumes.ts';
import { findBackupOf } from './restore-app.ts';

/**
 * Makes a second app of a backup, beside the present one, if its Compose file allows that. A setting whose port is in
 * use gets a free one.
 * @param id - the beginning of a snapshot's id; empty for the latest one
 */
export function restoreBeside(box: AppsBox, name: string, id: string, as: string): Promise<CommandResult> {
  return box.changes.run(async () => {
    refuseTaken(box, as);
    refuseWaiting(box, as);
    const { files } = box.backup;
    const { snapshot, facts } = await findBackupOf(box, name, id);
    await refuseWithoutRoom(box, foldersOf(box, facts));
    const own = files.plan(box.folders.path(as), facts.directory, as);
    const begun: ChangeJournal = { app: as, operation: 'restore', way: 'back', folders: [own] };
    await files.writeJournal(begun);
    let moved: ReadonlyMap<string, string>;
    try {
      await fillBeside(box, snapshot.id, [own]);
      // A second app of a second app has the note already.
      if (box.folders.read(own.staged, originFile, 1) === null) await files.writeOrigin(own.staged, name);
      const planned = await planBeside(box, name, as, own.staged);
      moved = planned.moved;
      const volumes = await planNewVolumes(box, facts, planned.project.model.name);
      const folders = [own, ...volumes];
      await keepVolumes(box, own.staged, newVolumes(facts, planned.project.model.name));
      await files.writeJournal({ ...begun, folders });
      await fillBeside(box, snapshot.id, volumes);
      if (facts.install !== null) await files.writeInstallRecord(as, facts.install);
      await carryOut(box, { ...begun, folders });
    } catch (error) {
      await finishBackup(box, false);
      throw error;
    }
    const { isUp, ending, lines } = appOutcome(as, await reconcile(box, as));
    const ports = [...moved].map(([key, port]) => `; ${key} is ${port} here`).join('');
    const done = `${as} has what ${name} had at ${momentText(snapshot.time)}, version ${facts.version}${ports}. It is there`;
    return { status: isUp ? 0 : 1, text: [`${done}${ending}`, ...lines].join('\n') };
  });
}

function refuseTaken(box: AppsBox, as: string): void {
  if (!isAppName(as)) throw new ContainersFailed(`${JSON.stringify(as)} cannot be the name of an app`, false);
  const isTaken = box.folders.find('installed', as) !== null || box.apps.one('bundled', as) !== null;
  if (isTaken) throw new ContainersFailed(`there is an app ${as} already; choose another name`, false);
}

/**
 * Writes the `.env` with free ports, and refuses an app that would disturb others.
 * @param directory - where the files of the second app are before they are put in place
 */
async function planBeside(box: AppsBox, name: string, as: string, directory: string) {
  const picture = await box.observer.look();
  if (picture.failure !== null) throw picture.failure;
  const bytes = box.folders.read(directory, '.env', maxEnvBytes);
  const before = bytes === null ? null : new TextDecoder().decode(bytes);
  const moved = await freePortsFor(box, directory, readDotenv(before ?? ''));
  const envText = before === null ? null : mergeDotenv(before, moved);
  if (envText !== null && moved.size > 0) await box.backup.files.writeEnv(directory, envText);

  const files = { directory, envText, envFile: `${directory}/.env` };
  const project = await plannedProject(box, { name: as, files, isNew: true }, picture).catch(refuseBeside);
  if (project === null) throw new ContainersFailed('it has no Compose file that can be read', false);
  if (project.problem !== null) throw new ContainersFailed(project.problem, false);
  attempt(() => refusePortsOf(box, name, project), Refusal, refuseBeside);
  const { model } = project;
  refuseOtherOwner(box, picture.containers, { project: model.name, directory: box.folders.path(as) });
  const left = await box.containers.volumes(model.name);
  if (left.length > 0) {
    const names = left.map((volume) => volume.name).join(' ');
    const text = `volumes of an earlier app ${as} are there; choose another name, or remove them: docker volume rm ${names}`;
    throw new ContainersFailed(text, false);
  }
  await refuseDisturbing(box, project, directory);
  return { project, moved };
}

function refuseBeside(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  throw new ContainersFailed(`the app cannot run beside itself: ${error.message}`, false);
}
