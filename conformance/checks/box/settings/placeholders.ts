import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, refused } from '../../../kernel/expect.ts';
import { manifest, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { containersOf } from '../disk.ts';
import { secrets } from '../placeholders.ts';

/** Tries to install an app whose only secret has this value. */
function install(box: BoxContext, name: string, [key, value]: readonly [string, string]) {
  const password = { ...settings.password, name: key };
  box.environment.bundle({
    name,
    manifest: manifest(name, { settings: [password] }),
    envExample: `${key}=${value}\n`,
  });
  return box.install(name);
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/placeholders/capitals',
    ['should/box/93'],
    'refuses a placeholder also in capitals, if it refuses it in small letters',
    async (box) => {
      const known: (readonly [string, string])[] = [];
      for (const [index, [key, value]] of Object.entries(secrets).entries()) {
        const small = [key, value.toLowerCase()] as const;
        if ((await install(box, `small-${index}`, small)).status === 400) known.push(small);
      }
      ensure('a placeholder in small letters is refused', known.length > 0);
      for (const [index, [key, small]] of known.entries()) {
        for (const value of [small.toUpperCase(), small.replace(/[a-z]/, (letter) => letter.toUpperCase())]) {
          const name = `capital-${index}`;
          refused(await install(box, name, [key, value]), 400);
          equal(`containers with ${value}`, await containersOf(box, name), []);
        }
      }
    },
  ),
];
