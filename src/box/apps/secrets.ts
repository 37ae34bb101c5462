import type { KnownApp } from '../known-apps.ts';
import { type BoxPorts, type Containers, ContainersFailed } from '../ports.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';
import { namesSecret } from '../rules/dotenv/placeholder.ts';
import type { Action } from '../rules/reconcile/actions.ts';
import { maskSecrets, unshownText } from '../rules/text/mask-secrets.ts';
import { secretTexts } from '../rules/text/secret-texts.ts';

const longestFailure = 4096;

type Apps = Pick<BoxPorts, 'folders' | 'apps' | 'report'>;

/**
 * The secrets in an app's `.env`, which no response and no log may show: values of password settings, and of keys whose
 * names mark a secret.
 */
function secretsOf(box: Pick<BoxPorts, 'folders'>, { name, manifest }: KnownApp): string[] {
  // Empty if the box cannot read the file. The container tool runs as the same user, so it cannot quote the file
  // either.
  const env = box.folders.viewEnv(name);
  const passwords = (manifest?.settings ?? []).filter(({ type }) => type === 'password');
  const named = [...readDotenv(env).keys()].filter(namesSecret);
  const keys = new Set([...passwords.map((setting) => setting.name), ...named]);
  return secretTexts(env, keys);
}

/** Masks the secrets of all apps in a text. While the secrets of one app are unknown, it hides the whole text. */
export function makeMask(box: Apps): (text: string) => string {
  const known = box.apps.all('installed').map((app) => {
    try {
      return secretsOf(box, app);
    } catch (error) {
      box.report(error);
      return null;
    }
  });
  const secrets = known.flatMap((one) => one ?? []);
  return known.includes(null) ? () => unshownText : (text) => maskSecrets(text, secrets);
}

export function maskSecretsIn(box: Apps, text: string): string {
  return makeMask(box)(text);
}

/**
 * Masks secrets in actions. Actions that only report a change are built from fixed words, except for a container's
 * name, which may hold a secret.
 */
export function actionsToShow(box: Apps, actions: readonly Action[]): Action[] {
  const isForeign = ({ kind, detail }: Action) =>
    ['error', 'warn', 'skip', 'stop'].includes(kind) || detail.includes(' container ');
  if (!actions.some(isForeign)) return [...actions];
  const mask = makeMask(box);
  return actions.map((action) => (isForeign(action) ? { ...action, detail: mask(action.detail) } : action));
}

/**
 * Masks the secrets of installed apps in every failure of the container tool, before a use case sees its text. The
 * failed command is not kept as the cause, because its arguments and output are not masked.
 * should/box/17
 */
export function withoutSecrets(containers: Containers, box: Apps): Containers {
  return new Proxy(containers, {
    get:
      (target, verb: keyof Containers) =>
      (...args: unknown[]) =>
        Promise.resolve(Reflect.apply(target[verb], target, args)).catch((error: unknown) => {
          if (!(error instanceof ContainersFailed)) throw error;
          throw new ContainersFailed(shortened(maskSecretsIn(box, error.message)), error.unreachable);
        }),
  });
}

/** Shortens only after masking, because half a secret would not be recognised. */
function shortened(text: string): string {
  return text.length > longestFailure ? `${text.slice(0, longestFailure)}…` : text;
}
