import type { AppFolders } from '../core.ts';
import type { KnownApp } from '../known-apps.ts';
import { unsetBySense } from '../rules/compose/dollar-signs.ts';
import { neededFiles } from '../rules/compose/further-files.ts';
import { rootPowers, type ServicePowers } from '../rules/compose/root-powers.ts';
import { unsetIn } from '../rules/compose/variables.ts';
import { ignoredKeysText, mergeDotenv, readDotenv } from '../rules/dotenv/dotenv.ts';
import { secretKeys } from '../rules/dotenv/placeholder.ts';
import { maskSecrets } from '../rules/text/mask-secrets.ts';
import { ownEnvText, viewExample } from './env-file.ts';
import { composeFilesOf, type FoundProject } from './project.ts';
import { composeFilesIn, documentsOf, shownPowers } from './project-warnings.ts';
import { maskedEnv } from './secrets.ts';

/** What Compose says of an app in this directory with an `.env` of this text; `null` if it cannot be asked. */
export type AskCompose = (
  app: Pick<KnownApp, 'name' | 'path'>,
  files: readonly string[],
  envText: string,
) => Promise<{ unset: readonly string[]; powers: readonly ServicePowers[] } | null>;

/** What an app's author or owner should know, although the app can be offered and started. */
export async function warningsOf(
  folders: AppFolders,
  app: KnownApp,
  project: FoundProject | null,
  ask: AskCompose,
): Promise<string[]> {
  const { name, path, manifest } = app;
  if (manifest === null) return [];
  const environment = folders.environment(name);
  const exampleText = viewExample({ folders }, path) ?? '';
  const example = readDotenv(exampleText, environment);
  const env = new Map([...example, ...environment]);
  const isSecret = secretKeys(manifest.settings);
  const documents = await documentsOf(folders, path, composeFilesOf({ folders }, path));
  const missing = neededFiles(documents, env).filter(
    (file) => folders.stamp(file.startsWith('/') ? '' : path, file) === null,
  );
  const ignored = ignoredKeysText(example, '.env.example');
  // To ask Compose may make one.
  const hasEnv = folders.stamp(path, '.env') !== null;
  // The form of an install submits every setting, and fills in those that are required.
  const settings = manifest.settings.filter(({ name: key, required, generate }) => {
    const preset = example.get(key);
    return preset === undefined || (preset === '' && (required || generate !== undefined));
  });
  const filled = new Map(settings.map((setting) => [setting.name, setting.default || '1']));
  const files = project?.files.files.map((file) => file.slice(path.length + 1)) ?? [];
  const said = project === null ? null : await ask(app, files, mergeDotenv(exampleText, filled, environment));
  // Compose sets the project's name itself.
  const all = new Map([['COMPOSE_PROJECT_NAME', name], ...filled, ...env]);
  const { unset, powers } = said ?? { unset: unsetIn(documents, all), powers: rootPowers(documents, env, path) };
  const reads = project?.reads ?? [];
  const { names, texts } = unsetBySense(unset, {
    documents: await documentsOf(folders, path, composeFilesIn(reads)),
    env: { file: '.env.example', text: exampleText },
    isSecret,
  });
  const shown = shownPowers(folders, { directory: path, reads }, powers);
  return [
    ...(hasEnv ? [ownEnvText] : []),
    ...(ignored === null ? [] : [ignored]),
    ...(manifest.ignored ?? []),
    ...(names.length === 0
      ? []
      : [`nothing sets ${names.join(', ')}, so Compose takes an empty text: add a line to .env.example or a setting`]),
    ...texts,
    ...missing.map((file) => `its Compose file names ${file}, which is not there: Compose needs it`),
    // A path can hold a secret.
    ...(shown === null ? [] : [maskSecrets(shown, maskedEnv(exampleText, manifest, environment).own)]),
  ];
}
