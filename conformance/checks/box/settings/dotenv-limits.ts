import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, refused, status } from '../../../kernel/expect.ts';
import { treeDigest } from '../../../kernel/tree.ts';
import { declared, manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { envText, isInstalled } from '../disk.ts';

const largest = 1024 * 1024;
const lagoon = { name: 'lagoon', manifest: manifest('lagoon', { settings: declared('NEW') }) };
/** A comment line of this size, because no program accepts a value of that size. */
const lineOf = (bytes: number) => `#${'n'.repeat(bytes - 2)}\n`;

export const checks: Check<BoxContext>[] = [
  check(
    'box/dotenv/no-change-of-unreadable',
    ['choice/box/180'],
    'refuses to change an app whose .env is not UTF-8, not a file, or too large, and writes nothing',
    async (box) => {
      box.environment.bundle(lagoon);
      const folder = box.environment.placeInstalled(lagoon);
      const file = join(folder, '.env');
      const make: Record<string, () => void> = {
        bytes: () => writeFileSync(file, Buffer.from('A=\xff\n', 'latin1')),
        folder: () => mkdirSync(file),
        large: () => writeFileSync(file, lineOf(largest + 1)),
      };
      for (const [kind, makeIt] of Object.entries(make)) {
        rmSync(file, { force: true, recursive: true });
        makeIt();
        await box.get('/api/apps');
        const before = treeDigest(folder);
        refused(await box.changeSettings('lagoon', { NEW: 'n' }), 400);
        refused(await box.install('lagoon', { NEW: 'n' }), 400);
        equal(`the files with ${kind}`, treeDigest(folder), before);
      }
    },
  ),
  check(
    'box/dotenv/largest',
    ['choice/box/180'],
    'refuses values that would make a .env larger than 1 MiB, and accepts those that just fit',
    async (box) => {
      const fits = 'n'.repeat(9);
      const text = lineOf(largest - `NEW=${fits}\n`.length);
      const folder = box.environment.placeInstalled({ ...lagoon, env: text });
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), envExample: text });
      await box.get('/api/apps');
      const before = treeDigest(folder);
      refused(await box.changeSettings('lagoon', { NEW: `${fits}n` }), 400);
      equal('its files', treeDigest(folder), before);
      refused(await box.install('quay', { NEW: `${fits}n` }), 400);
      ensure('the other app is not installed', !isInstalled(box, 'quay'));
      status(await box.changeSettings('lagoon', { NEW: fits }), 200);
      equal('the size of its .env', envText(box, 'lagoon').length, largest);
      status(await box.install('quay', { NEW: fits }), 200);
      equal('the size of the other', Buffer.byteLength(envText(box, 'quay')), largest);
    },
  ),
];
