import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, status } from '../../../kernel/expect.ts';
import { allSettings, manifest, settings } from '../apps.ts';
import type { BoxContext } from '../context.ts';

const lagoon = { name: 'lagoon', manifest: manifest('lagoon', { settings: allSettings }) };

/** The files below a folder that other users can read. */
function openFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const isOpen = (lstatSync(path).mode & 0o077) !== 0;
    if (!isOpen) return [];
    if (entry.isDirectory()) return openFiles(path);
    return entry.isFile() ? [path] : [];
  });
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/dotenv/keeps-what-it-does-not-know',
    ['should/box/76'],
    'keeps comments, unknown keys and invalid lines of .env through settings updates and installs, or refuses',
    async (box) => {
      const kept = ['# a note by hand', 'UNKNOWN=k3pt', 'this is no line', '# größe'];
      const unreadable = Buffer.from('# gr\xf6\xdfe', 'latin1');
      const bundled = { name: 'lagoon', manifest: manifest('lagoon', { settings: [settings.text] }) };
      box.environment.bundle(bundled);
      const folder = box.environment.placeInstalled(bundled);
      const file = join(folder, '.env');
      const changes = [
        () => box.changeSettings('lagoon', { GREETING: 'new' }),
        () => box.install('lagoon', { GREETING: 'newer' }),
        () => box.install('lagoon'),
      ];
      const cases = [[...kept, unreadable], kept].flatMap((lines) =>
        ['GREETING=old # since spring', 'GREETING="old" # since spring'].map((behind) => ({ lines, behind })),
      );
      for (const { lines, behind } of cases) {
        const before = Buffer.concat([...lines, behind].flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
        for (const change of changes) {
          writeFileSync(file, before);
          const answer = await change();
          const after = readFileSync(file);
          if (answer.status >= 400) equal('.env after a refusal', after.toString('latin1'), before.toString('latin1'));
          ensure('the comment behind the value is kept', after.includes('# since spring'), after.toString('latin1'));
          for (const line of lines) ensure(`${line} is kept`, after.includes(line), after.toString('latin1'));
        }
      }
    },
  ),
  check(
    'box/dotenv/private',
    ['should/box/83'],
    'lets only its own user read a .env that it wrote, and each copy of it',
    async (box) => {
      const [first, second] = [box.secret(), box.secret()];
      box.environment.bundle({ ...lagoon, envExample: 'GREETING=x\n' });
      await box.start({ argv: ['sh', '-c', 'umask 0; exec "$@"', 'sh', ...box.argv] });
      const changes: Record<string, () => Promise<{ status: number; text: string }>> = {
        'an install': () => box.install('lagoon', { VAULT_KEY: first }),
        'a settings update': () => box.changeSettings('lagoon', { VAULT_KEY: second }),
        'a reinstall': () => box.install('lagoon'),
        'a reinstall with settings': () => box.install('lagoon', { VAULT_KEY: first }),
      };
      const { installedApps, stateDir } = box.environment;
      for (const [name, change] of Object.entries(changes)) {
        status(await change(), 200);
        const open = [installedApps, stateDir]
          .flatMap((folder) => openFiles(folder))
          .filter((file) => {
            const text = readFileSync(file, 'utf8');
            return text.includes(first) || text.includes(second);
          });
        equal(`files with the password that others can read, after ${name}`, open, []);
      }
    },
  ),
];
