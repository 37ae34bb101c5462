import { refuse } from '../api/refusals.ts';
import { catalogueApp } from '../app-files/catalogue.ts';
import { asPlanned, type Project, readPlannedProject, readProject, resolveProject } from '../app-files/project.ts';
import { inputsOf } from '../app-files/stale-services.ts';
import { refuseDisturbing } from '../backup/beside.ts';
import type { FileChange } from '../change/ports.ts';
import { ContainersFailed } from '../core.ts';
import type { Container } from '../engine/rules/container.ts';
import { volumeChanges } from '../engine/volume-changes.ts';
import type { KnownApp } from '../known-apps.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';
import { placeholderKeys } from '../rules/dotenv/placeholder.ts';
import type { Manifest } from '../rules/manifest/manifest.ts';
import { newerVersion } from '../rules/manifest/newer-version.ts';
import { plannedEnv } from './install.ts';
import type { AppsBox } from './ports.ts';
import { pullImages } from './update-containers.ts';

/** How the files of an app become those of the newer version in the catalogue. `envText`: the `.env` as it will be. */
export type NewerFiles = { to: Manifest; change: FileChange; envText: string | null };

/** `null` if the catalogue has no newer version. Refuses one that needs a secret from the owner. choice/box/304 */
export async function newerFiles(box: AppsBox, app: KnownApp): Promise<NewerFiles | null> {
  const bundled = catalogueApp(box, app);
  if (bundled === null || newerVersion(app, bundled) === null) return null;
  const { path: source } = bundled;
  const to = bundled.manifest as Manifest;
  const from = { path: source, isInstalled: true, manifest: to };
  const { before, after: env } = plannedEnv(box, app.name, from, new Map());
  const envText = env ?? before;
  const keys = placeholderKeys(readDotenv(envText ?? ''), to.settings);
  if (keys.length > 0) {
    const file = `${box.folders.path(app.name)}/.env`;
    refuse('upgradeNeedsValues', { app: app.name, version: to.version, keys: keys.join(', '), file });
  }
  return { to, change: { source, plan: await box.installFiles.planRefresh(app.name, source), env }, envText };
}

/** Pulls the images of a newer version, or refuses one that cannot replace the present. `remade`: volumes made anew. */
export async function pullNewer(
  box: AppsBox,
  { app, old, newer: { to, change, envText } }: { app: KnownApp; old: Project; newer: NewerFiles },
  containers: readonly Container[],
): Promise<{ planned: Project; remade: string[] }> {
  const { name } = app;
  const unusable = (problem: string) => new ContainersFailed(`version ${to.version} cannot be used: ${problem}`, false);
  return box.installFiles.preview(name, { ...change, env: envText }, async (directory) => {
    const planFiles = { directory, envText, envFile: `${directory}/.env` };
    const verdict = await readPlannedProject(box, name, planFiles, undefined);
    if (!verdict.ok) throw unusable(verdict.problem);
    const planned = await resolveProject(box, verdict.project);
    if (planned.compose.project !== old.compose.project) {
      const names = `${old.compose.project} to ${planned.compose.project}`;
      const problem = `version ${to.version} changes the Compose project from ${names}; remove the app and install it`;
      throw new ContainersFailed(problem, false);
    }
    if (app.origin !== name) await refuseDisturbing(box, planned, directory);
    const changes = await volumeChanges(box, planned, containers);
    const kept = changes.find(({ keptBecause }) => keptBecause !== null)?.keptBecause;
    if (kept) throw unusable(kept);
    await pullImages(box, planned);
    return { planned, remade: changes.map((one) => one.name) };
  });
}

export async function projectInPlace(box: AppsBox, planned: Project): Promise<Project> {
  const verdict = await readProject(box, planned.app, undefined);
  if (!verdict.ok) throw new ContainersFailed(verdict.problem, false);
  return resolveProject(box, asPlanned(verdict.project, planned));
}

/** The new containers see the new configs, secrets and mounted files. */
export async function rememberInputs(box: AppsBox, project: Project): Promise<void> {
  const records = box.records.load();
  const record = records.get(project.app);
  if (record === undefined) return;
  const seen = { model: project.model, modelFor: project.digest, inputs: inputsOf(box, project), replaced: [] };
  await box.records.save(new Map(records).set(project.app, { ...record, ...seen }));
}
