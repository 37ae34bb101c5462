import type { Setting } from '../manifest/manifest.ts';
import type { Generate } from '../manifest/setting-hints.ts';
import { isPlaceholder } from './placeholder.ts';

type Values = ReadonlyMap<string, string>;

/**
 * A new secret for each setting with `generate` that is still left blank, or has a placeholder. `present` is the app's
 * `.env`, whose secrets stay, also an empty one; `wanted` is the planned one. `fill` makes all bytes random.
 */
export function madeSecrets(
  settings: readonly Pick<Setting, 'name' | 'generate'>[],
  present: Values,
  wanted: Values,
  fill: (bytes: Buffer<ArrayBuffer>) => void,
): Map<string, string> {
  const isOpen = (value?: string) => value === undefined || isPlaceholder(value);
  return new Map(
    settings.flatMap(({ name, generate }) => {
      const isMade = isOpen(present.get(name)) && (isOpen(wanted.get(name)) || wanted.get(name)?.trim() === '');
      return generate && isMade ? [[name, secretText(generate, fill)] as const] : [];
    }),
  );
}

function secretText({ length, encoding }: Generate, fill: (bytes: Buffer<ArrayBuffer>) => void): string {
  const bytes = Buffer.alloc(length);
  fill(bytes);
  const text = bytes.toString(encoding);
  return encoding === 'hex' ? text.slice(0, length) : text;
}
