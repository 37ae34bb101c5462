import { attempt } from '../../lib/ignore.ts';
import { refuse } from '../api/refusals.ts';
import { BrokenEnv, type Core, maxEnvBytes } from '../core.ts';
import type { Action } from '../engine/rules/actions.ts';
import { ignoredKeysText, mergeDotenv, readDotenv } from '../rules/dotenv/dotenv.ts';
import { coerceSettings } from '../rules/dotenv/setting-values.ts';
import type { Manifest } from '../rules/manifest/manifest.ts';

const exampleFile = '.env.example';

/** About a `.env` of a bundle, which no install copies. */
export const ownEnvText =
  'its own .env is not used, because every box would have its secrets; put its lines into .env.example';

/** Warns of keys in an app's `.env` that Compose would obey and the box does not. */
export function ignoredKeyWarnings(target: string, env: string): Action[] {
  const detail = ignoredKeysText(readDotenv(env), '.env');
  return detail === null ? [] : [{ kind: 'warn', target, detail }];
}

/** The submitted settings as texts for the `.env`; refuses values that it cannot hold. */
export function settingValues(settings: Readonly<Record<string, unknown>>, manifest: Manifest): Map<string, string> {
  const coerced = coerceSettings(settings, manifest);
  if (!coerced.ok) refuse('invalidValues', { reason: coerced.problem });
  return coerced.values;
}

/** The `.env.example` in an app's directory, or `null` if absent. Refuses one that is too large for a `.env`. */
export function readExample(box: Pick<Core, 'folders'>, directory: string): string | null {
  if ((box.folders.stamp(directory, exampleFile)?.size ?? 0) > maxEnvBytes) {
    refuse('brokenEnv', { reason: `${directory}/${exampleFile} is larger than 1 MiB` });
  }
  return viewExample(box, directory);
}

/** The readable part of the `.env.example` in an app's directory, for a form; `null` if absent. */
export function viewExample(box: Pick<Core, 'folders'>, directory: string): string | null {
  const bytes = box.folders.read(directory, exampleFile, maxEnvBytes);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

/** An installed app's `.env` or the previous one; `null` if absent. Refuses one that it could not write back as is. */
export function envToChange(
  box: Pick<Core, 'folders'>,
  name: string,
  file: '.env' | '.env.bak' = '.env',
): string | null {
  const refused = ({ message }: BrokenEnv) => refuse('brokenEnv', { reason: message });
  return attempt(() => box.folders.readEnv(name, file), BrokenEnv, refused);
}

export function refuseLargeEnv(text: string): void {
  if (new TextEncoder().encode(text).length > maxEnvBytes) {
    refuse('invalidValues', { reason: 'the .env would be larger than 1 MiB' });
  }
}

/** The `.env` and the previous one, if they differ. Secrets made since then stay, because data may depend on them. */
export function undoableEnv(
  box: Pick<Core, 'folders'>,
  name: string,
  { settings }: Manifest,
): { before: string | null; after: string } | null {
  const before = envToChange(box, name);
  const previous = envToChange(box, name, '.env.bak');
  if (previous === null) return null;
  const environment = box.folders.environment(name);
  const old = readDotenv(previous, environment);
  const isMadeSince = (key: string) => !old.has(key) && settings.some((one) => one.name === key && one.generate);
  const made = [...readDotenv(before ?? '', environment)].filter(([key]) => isMadeSince(key));
  const after = mergeDotenv(previous, new Map(made), environment);
  return after === before ? null : { before, after };
}
