import type { KnownApp } from './catalogue.ts';
import type { BoxPorts } from './ports.ts';
import { maskSecrets } from './rules/mask-secrets.ts';
import { secretTexts } from './rules/secret-texts.ts';

/** The values of all password settings of installed apps: what no answer and no log may show. */
export function secretsOf(box: Pick<BoxPorts, 'folders'>, apps: readonly KnownApp[]): string[] {
  return apps.flatMap(({ name, manifest }) => {
    const passwords = (manifest?.settings ?? []).filter(({ type }) => type === 'password');
    if (passwords.length === 0) return [];
    const env = box.folders.viewEnv(name);
    return passwords.flatMap((setting) => secretTexts(env, setting.name));
  });
}

/** A text of the container tool, fit to be shown. */
export function fitToShow(box: Pick<BoxPorts, 'folders' | 'apps'>, text: string): string {
  return maskSecrets(text, secretsOf(box, box.apps.all('installed')));
}
