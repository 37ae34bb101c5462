import { refuse } from '../api/refusals.ts';
import { problemsOf } from '../app-files/catalogue-check.ts';
import { type AskCompose, warningsOf } from '../app-files/catalogue-warnings.ts';
import { ContainersFailed } from '../core.ts';
import type { KnownApp } from '../known-apps.ts';
import { projectOfDirectory } from '../rules/manifest/app-name.ts';
import type { OwnApp, OwnAppsBox } from './ports.ts';
import { nextVersion, ownAppNameOf } from './rules/own-app-name.ts';
import { type PastedApp, readPaste } from './rules/pasted-file.ts';

/** What the owner gives: the text, the name that people read, and the port of the app's page or an empty text. */
export type Given = { text: string; title: string; page: string };

/** What was found of a paste. `digest`: of the text, the name and all that is shown of it, without the choice of a page. */
export type Checked = {
  name: string;
  isNewer: boolean;
  app: PastedApp;
  warnings: string[];
  digest: string;
};

/** Checks a pasted file. Nothing of it is carried out, and nothing stays. Refuses a file that makes no app. */
export function checkPaste(box: OwnAppsBox, given: Given): Promise<Checked> {
  return box.ownApps.alone(async () => (await check(box, given)).checked);
}

/** Offers the pasted file as an app of the catalogue. Refuses it if the check has shown something else. */
export function keepPaste(box: OwnAppsBox, given: Given & { digest: string }): Promise<Checked> {
  return box.ownApps.alone(async () => {
    const { checked, own } = await check(box, given);
    if (checked.digest !== given.digest) {
      refuse('invalidValues', { reason: 'the check finds something else now: check the file once more' });
    }
    // Nothing installs the app while its files are replaced.
    await box.changes.run(() => box.ownApps.keep(own));
    return checked;
  });
}

/** Ends the offer of an app that was pasted. Refuses any other app. */
export async function removeOwnApp(box: OwnAppsBox, name: string): Promise<void> {
  await box.ownApps.alone(async () => {
    if (!box.ownApps.list().includes(name)) refuse('appNotFound', { app: name });
    await box.changes.run(() => box.ownApps.remove(name));
  });
}

async function check(box: OwnAppsBox, { text, title, page }: Given): Promise<{ checked: Checked; own: OwnApp }> {
  const { name, version } = nameOf(box, title);
  const app = await readPaste({ text, title: title.trim(), name, version, page });
  if (!app.taken) return refuse('invalidValues', { reason: `this file makes no app: ${app.reason}` });
  const own = { name, files: app.files, folders: app.folders, pasted: text };
  const warnings = await warningsOfFiles(box, own);
  // Not the manifest, which depends on the choice of a page.
  const shown = [text, title, version, app.services, app.notes, app.pages, warnings];
  const digest = box.folders.digest('', [], JSON.stringify(shown));
  return { own, checked: { name, isNewer: version !== '1', app, warnings, digest } };
}

/** The app's name and version. Refuses a name of another app. */
function nameOf({ apps, ownApps }: OwnAppsBox, title: string): { name: string; version: string } {
  const named = ownAppNameOf(title);
  if ('fault' in named) refuse('invalidValues', { reason: named.fault });
  const { name } = named;
  if (ownApps.folder === null) {
    refuse('invalidValues', {
      reason: 'there is no folder for apps of your own: set BOX_CATALOGUE in /etc/boxgate/box.env',
    });
  }
  const before = (['bundled', 'installed'] as const).flatMap((place) => apps.one(place, name) ?? []);
  if (before.some(({ path }) => !ownApps.isPasted(path))) {
    refuse('invalidValues', {
      reason: `there is an app ${name} already, which was not pasted here: choose another name`,
    });
  }
  return { name, version: nextVersion(before) };
}

/** What the check of the catalogue says of the app. Refuses one that would not be offered or that Compose does not take. */
function warningsOfFiles(box: OwnAppsBox, own: OwnApp): Promise<string[]> {
  const { ownApps, containers } = box;
  return ownApps.withFiles(own, async (writeEnv) => {
    const { folders, apps } = ownApps.checked;
    const app = apps.one('installed', own.name) as KnownApp;
    const { problems, project } = await problemsOf(folders, app);
    const [problem] = problems;
    if (problem !== undefined) refuse('invalidValues', { reason: `this file makes no app: ${problem}` });
    const ask: AskCompose = async ({ name, path }, files, envText) => {
      const envFile = await writeEnv(envText);
      const found = { directory: path, files: files.map((file) => `${path}/${file}`), envFile };
      return containers.config(found, projectOfDirectory(name));
    };
    return warningsOf(folders, app, project, ask).catch((error: unknown) => {
      if (!(error instanceof ContainersFailed)) throw error;
      const said = error.message.replace(/^docker compose config failed with status \d+: /, '');
      return refuse('containerToolFailed', { reason: `this file could not be checked: ${said}` });
    });
  });
}
