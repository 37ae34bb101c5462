import { attempt } from '../../lib/ignore.ts';
import { shownName } from '../../lib/shown-text.ts';
import { type AppFolders, StorageFailed } from '../core.ts';
import type { Catalogue, KnownApp } from '../known-apps.ts';
import { counted } from '../rules/text/amounts.ts';
import { type AskCompose, warningsOf } from './catalogue-warnings.ts';
import { viewExample } from './env-file.ts';
import { type FoundProject, readPlannedProject } from './project.ts';

export type CatalogueDirectory = { path: string; folders: AppFolders; apps: Catalogue };

/** Reports faults, which make the status 1, and what an author or owner should know, of apps to be installed. */
export async function checkCatalogue(
  directories: readonly CatalogueDirectory[],
  ask: AskCompose,
): Promise<{ status: 0 | 1; text: string }> {
  const lines: string[] = [];
  const first = new Map<string, string>();
  let faults = 0;
  let warnings = 0;
  for (const { path, folders, apps } of directories) {
    const fault = (where: string, problem: string) => {
      faults += 1;
      lines.push(`${where}: ${problem}`);
    };
    const noApps = ({ message }: StorageFailed) => {
      fault(path, message);
      return [];
    };
    for (const app of attempt(() => apps.all('installed'), StorageFailed, noApps)) {
      const hidden = first.get(app.name);
      if (hidden !== undefined) lines.push(`${app.path}: hidden by ${hidden}`);
      else first.set(app.name, app.path);
      const { problems, project } = await problemsOf(folders, app);
      for (const problem of problems) fault(app.path, problem);
      for (const warning of await warningsOf(folders, app, project, ask)) {
        warnings += 1;
        lines.push(`${app.path}: ${warning}`);
      }
    }
  }
  const count = `${counted(first.size, 'app')} in ${directories.map(({ path }) => path).join(', ')}`;
  const found = [faults > 0 && counted(faults, 'fault'), warnings > 0 && counted(warnings, 'warning')];
  const verdict = found.filter(Boolean).join(', ') || 'all is well';
  return { status: faults === 0 ? 0 : 1, text: [...lines, `${count}: ${verdict}`].map(shownName).join('\n') };
}

export async function problemsOf(
  folders: AppFolders,
  { name, path, manifest, entry }: KnownApp,
): Promise<{ problems: string[]; project: FoundProject | null }> {
  if (manifest === null) return { problems: entry.ok ? [] : [entry.error], project: null };
  const problems: string[] = [];
  if (manifest.icon !== '' && entry.ok && entry.icon_svg === null && entry.icon_url === undefined) {
    const forms = 'an SVG file without scripts of at most 16 KiB, or a PNG, JPEG, GIF or WebP file of at most 256 KiB';
    problems.push(`${manifest.icon}: not shown, for an icon is ${forms} and 4 million pixels`);
  }
  const verdict = await readPlannedProject(
    { folders },
    name,
    { directory: path, envText: viewExample({ folders }, path), envFile: '' },
    undefined,
  );
  if (!verdict.ok) problems.push(verdict.problem);
  return { problems, project: verdict.ok ? verdict.project : null };
}
