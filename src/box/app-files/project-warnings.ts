import type { Core } from '../core.ts';
import type { Action } from '../engine/rules/actions.ts';
import { unsetBySense } from '../rules/compose/dollar-signs.ts';
import { secretKeys } from '../rules/dotenv/placeholder.ts';
import type { Manifest } from '../rules/manifest/manifest.ts';
import { composeFilesIn, documentsOf } from './compose-documents.ts';
import type { Project } from './project.ts';
import { shownPowers } from './shown-powers.ts';

/** What Compose said of a project that an owner should know: variables that nothing sets, and powers as good as root. */
export async function projectWarnings(
  { folders }: Pick<Core, 'folders'>,
  target: string,
  { settings }: Manifest,
  envText: string,
  { unset, powers, reads }: Pick<Project, 'unset' | 'powers' | 'reads'>,
): Promise<Action[]> {
  const directory = folders.path(target);
  const { names, texts } = unsetBySense(unset, {
    documents: unset.length === 0 ? [] : await documentsOf(folders, directory, composeFilesIn(reads)),
    env: { file: '.env', text: envText },
    isSecret: secretKeys(settings),
  });
  const shown = shownPowers(folders, { directory, reads }, powers);
  const empty = `nothing sets ${names.join(', ')}, so the containers get an empty text; add a line to ${directory}/.env`;
  const details = [...(names.length === 0 ? [] : [empty]), ...texts, ...(shown === null ? [] : [shown])];
  return details.map((detail) => ({ kind: 'warn', target, detail }));
}
