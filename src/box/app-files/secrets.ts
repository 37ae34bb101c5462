import { shownName } from '../../lib/shown-text.ts';
import type { Core } from '../core.ts';
import type { Action } from '../engine/rules/actions.ts';
import type { KnownApp } from '../known-apps.ts';
import { readDotenv } from '../rules/dotenv/dotenv.ts';
import { secretKeys } from '../rules/dotenv/placeholder.ts';
import type { Manifest } from '../rules/manifest/manifest.ts';
import { type Masked, maskedTexts, maskSecrets, unshownOwnText, unshownText } from '../rules/text/mask-secrets.ts';
import { secretTexts } from '../rules/text/secret-texts.ts';
import { fromEnv } from './catalogue.ts';

/** Secrets behind it are not looked for, so no text of such an app is shown. */
const longestEnv = 128 * 1024;

export type Apps = Pick<Core, 'folders' | 'apps' | 'report'>;

/** What is masked of an app's `.env`: nothing of one that the box cannot read, for the container tool cannot either. */
const maskedOf = fromEnv((whole, { manifest }, environment) => maskedEnv(whole, manifest, environment));

export function maskedEnv(whole: string, manifest: Manifest | null, environment?: ReadonlyMap<string, string>): Masked {
  const text = whole.slice(0, longestEnv);
  const isSecret = secretKeys(manifest?.settings ?? []);
  const passwords = (manifest?.settings ?? []).map(({ name }) => name);
  const keys = new Set([...passwords, ...readDotenv(text).keys()].filter(isSecret));
  const masked = maskedTexts(secretTexts(text, keys, environment));
  return { ...masked, isCut: masked.isCut || whole.length > longestEnv };
}

/**
 * Masks the secrets of all apps in a text. While the secrets of one app are unknown, it hides the whole text. The
 * secrets are read at the first text. `own`: the app that the text is about; absent if the text may be about any of
 * them, `null` if it is about none.
 */
export function makeMask(box: Apps): (text: string, own?: string | null) => string {
  let known: readonly (readonly [KnownApp, Masked | null])[] | null = null;
  return (text, own) => {
    known ??= box.apps.all('installed').map((app) => [app, maskedIn(box, app)] as const);
    if (known.some(([, masked]) => masked === null)) return unshownText;
    if (known.some(([app, masked]) => masked?.isCut && own === app.name)) return unshownOwnText;
    const isOwn = (app: KnownApp) => own === undefined || own === app.name;
    return maskSecrets(
      text,
      known.flatMap(([app, masked]) => (isOwn(app) ? masked?.own : masked?.elsewhere) ?? []),
    );
  };
}

/** `null` after an unexpected fault, which is logged. */
function maskedIn(box: Apps, app: KnownApp): Masked | null {
  try {
    return maskedOf(box, app);
  } catch (error) {
    box.report(error);
    return null;
  }
}

export function maskSecretsIn(box: Apps, text: string, own?: string | null): string {
  return makeMask(box)(text, own);
}

/** Masks secrets in actions, and escapes them. The text of a change is fixed, but for the name of a container. */
export function actionsToShow(box: Apps, actions: readonly Action[]): Action[] {
  const mask = makeMask(box);
  const isForeign = ({ kind, detail }: Action) =>
    ['error', 'warn', 'skip', 'stop'].includes(kind) || detail.includes(' container ');
  return actions.map((action) => {
    const [own] = action.target.split('/', 1);
    return { ...action, detail: shownName(isForeign(action) ? mask(action.detail, own) : action.detail) };
  });
}
