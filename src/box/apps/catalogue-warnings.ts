import type { KnownApp } from '../known-apps.ts';
import type { AppFolders } from '../ports.ts';
import { readDocuments } from '../rules/compose/compose-file.ts';
import { neededFiles } from '../rules/compose/needed-files.ts';
import { rootPowers } from '../rules/compose/root-powers.ts';
import { unsetIn } from '../rules/compose/unset-in.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';
import { ignoredKeysText } from '../rules/dotenv/ignored-keys.ts';
import { secretKeys } from '../rules/dotenv/placeholder.ts';
import { ownEnvText, viewExample } from './env-file.ts';
import { composeFilesOf, largestComposeBytes } from './project.ts';

/** What an app's author or owner should know, although the app can be offered and started. */
export async function warningsOf(folders: AppFolders, { name, path, manifest }: KnownApp): Promise<string[]> {
  if (manifest === null) return [];
  const example = readDotenv(viewExample({ folders }, path) ?? '', folders.environment(name));
  const env = new Map([...example, ...folders.environment(name)]);
  const documents = await documentsOf(folders, path);
  // The form of an install submits every setting.
  const settings = manifest.settings.map((setting) => [setting.name, setting.default ?? ''] as const);
  // Compose sets the project's name itself.
  const unset = unsetIn(documents, new Map([['COMPOSE_PROJECT_NAME', name], ...settings, ...env]));
  const isSecret = secretKeys(manifest.settings);
  // A path that the output shows can hold a secret.
  const shown = new Map([...env].map(([key, value]) => [key, isSecret(key) ? '•••' : value]));
  const powers = rootPowers(documents, shown);
  const ignored = ignoredKeysText(example, '.env.example');
  const missing = neededFiles(documents, env).filter(
    (file) => folders.stamp(file.startsWith('/') ? '' : path, file) === null,
  );
  return [
    ...(folders.stamp(path, '.env') === null ? [] : [ownEnvText]),
    ...(ignored === null ? [] : [ignored]),
    ...(unset.length === 0
      ? []
      : [`nothing sets ${unset.join(', ')}, so Compose takes an empty text: add a line to .env.example or a setting`]),
    ...missing.map((file) => `its Compose file names ${file}, which is not there: Compose needs it`),
    ...(powers.length === 0 ? [] : [`as good as root on the box: ${powers.join(', ')}`]),
  ];
}

/** Empty if a file cannot be read, which is a fault of its own. */
async function documentsOf(folders: AppFolders, directory: string): Promise<unknown[]> {
  const files = composeFilesOf({ folders }, directory);
  const texts = files.map((file) => folders.read(directory, file, largestComposeBytes + 1));
  if (texts.some((bytes) => bytes === null || bytes.length > largestComposeBytes)) return [];
  return readDocuments(texts.map((bytes) => new TextDecoder().decode(bytes ?? undefined))).catch(() => []);
}
