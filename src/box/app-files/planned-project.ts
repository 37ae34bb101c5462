import { refuse } from '../api/refusals.ts';
import type { AppsBox } from '../apps/ports.ts';
import type { Picture } from '../core.ts';
import {
  ownerOfProject,
  type PlannedFiles,
  type Project,
  readPlannedProject,
  resolveProject,
  unresolved,
} from './project.ts';
import { portsOfServices, refusePorts } from './taken-ports.ts';

/**
 * The project that an app will have with these files, before anything is written. Refuses one of another app, and ports
 * that are invalid or in use. `null` if it has no readable Compose file, which the reconcile reports.
 */
export async function plannedProject(
  box: AppsBox,
  { name, files, isNew }: { name: string; files: PlannedFiles; isNew: boolean },
  picture: Picture | null,
): Promise<Project | null> {
  const record = box.records.load().get(name);
  const verdict = await readPlannedProject(box, name, files, record);
  if (!verdict.ok) return null;
  const project = picture?.failure?.unreachable
    ? unresolved(verdict.project, picture.failure.message)
    : await resolveProject(box, verdict.project);
  // The text does not show the project's name, because a Compose file can make it of a secret. choice/box/100
  const owner = isNew ? await ownerOfProject(box, name, project.model.name) : null;
  if (owner !== null) refuse('projectTaken', { app: name, owner });
  refusePorts(box, { name, project, before: portsOfServices(record?.model) }, picture);
  return project;
}

/** Plans a change that writes only the `.env`; `after` is `null` if it stays as it is. */
export function plannedWithEnv(
  box: AppsBox,
  { name, before, after }: { name: string; before: string | null; after: string | null },
  picture: Picture | null,
): Promise<Project | null> {
  const directory = box.folders.path(name);
  const plan = (envText: string | null, envFile: string) =>
    plannedProject(box, { name, isNew: false, files: { directory, envText, envFile } }, picture);
  if (after === null || after === before) return plan(before, `${directory}/.env`);
  return box.installFiles.withEnv(name, after, (file) => plan(after, file));
}
