import { type Containers, ContainersFailed, maxEnvBytes } from '../core.ts';
import { maxManifestBytes, parseManifest } from '../rules/manifest/manifest.ts';
import { type Masked, maskSecrets, unshownOwnText } from '../rules/text/mask-secrets.ts';
import { type Apps, maskedEnv, maskSecretsIn } from './secrets.ts';

const longestFailure = 4096;

/**
 * Masks the secrets of installed apps in every failure of the container tool, before a use case sees its text. The
 * failed command is not kept as the cause, because its arguments and output are not masked. should/box/17
 */
export function withoutSecrets(containers: Containers, box: Apps): Containers {
  return new Proxy(containers, {
    get:
      (target, verb: keyof Containers) =>
      (...args: unknown[]) =>
        Promise.resolve(Reflect.apply(target[verb], target, args)).catch((error: unknown) => {
          if (!(error instanceof ContainersFailed)) throw error;
          const planned = plannedEnv(box, args[0]);
          const text = planned?.isCut ? unshownOwnText : maskSecrets(error.message, planned?.own ?? []);
          const shown = maskSecretsIn(box, text, appOf(box, args[0]));
          throw new ContainersFailed(shortened(shown), error.unreachable);
        }),
  });
}

/** The app that a call is about. A project in a temporary directory may be that of any app. */
function appOf(box: Apps, subject: unknown): string | null | undefined {
  if (typeof subject !== 'object' || subject === null || !('directory' in subject)) return null;
  const name = String(subject.directory).split('/').at(-1) ?? '';
  return box.folders.path(name) === subject.directory ? name : undefined;
}

/** What is masked of a `.env` that is not yet that of an installed app; `null` for a call without one. */
function plannedEnv({ folders }: Apps, subject: unknown): Masked | null {
  const { directory, envFile } = (subject ?? {}) as { directory?: unknown; envFile?: unknown };
  if (typeof directory !== 'string' || typeof envFile !== 'string') return null;
  const name = directory.slice(directory.lastIndexOf('/') + 1);
  if (envFile === `${folders.path(name)}/.env`) return null;
  const manifest = parseManifest(
    folders.read(directory, 'manifest.json', maxManifestBytes + 1) ?? new Uint8Array(),
    name,
  );
  const at = envFile.lastIndexOf('/');
  const bytes = folders.read(envFile.slice(0, at), envFile.slice(at + 1), maxEnvBytes);
  return maskedEnv(new TextDecoder().decode(bytes ?? undefined), manifest.ok ? manifest.manifest : null);
}

/** Shortens only after masking, because half a secret would not be recognised. */
function shortened(text: string): string {
  return text.length > longestFailure ? `${text.slice(0, longestFailure)}…` : text;
}
