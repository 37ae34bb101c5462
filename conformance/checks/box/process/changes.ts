import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, list, pluck, status } from '../../../kernel/expect.ts';
import { treeDigest } from '../../../kernel/tree.ts';
import { declared, manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { env, installedFolder, isInstalled, runningContainer } from '../disk.ts';

export const checks: Check<BoxContext>[] = [
  check(
    'box/changes/all-at-once',
    ['should/box/516'],
    'loses no value of ten simultaneous settings updates',
    async (box) => {
      const keys = Array.from({ length: 10 }, (_, index) => `KEY${index}`);
      // A long file takes longer to rewrite, so that careless changes overlap.
      const notes = Array.from({ length: 8000 }, (_, index) => `# note ${index}\n`);
      const app = { name: 'lagoon', manifest: manifest('lagoon', { settings: declared(...keys) }) };
      // Without containers no change waits for any.
      box.environment.placeInstalled({ ...app, compose: null, env: notes.join('') });
      for (const turn of ['first', 'second']) {
        const change = (key: string) => box.changeSettings('lagoon', { [key]: `${turn} ${key}` });
        for (const answer of await box.together(() => keys.map(change)))
          ensure('the change is carried out', [200, 207].includes(answer.status), answer.status);
        const written = env(box, 'lagoon');
        for (const key of keys) equal(key, written[key], `${turn} ${key}`);
      }
    },
    { requestMs: 15_000 },
  ),
  check(
    'box/changes/installs-at-once',
    ['should/box/516'],
    'gives each of five apps its own files and values if they are installed simultaneously',
    async (box) => {
      const names = ['ash', 'birch', 'cedar', 'elm', 'fir'];
      // Enough files that the copies of careless installs overlap.
      const files = Array.from({ length: 60 }, (_, index) => `${index}.txt`);
      for (const name of names) {
        const texts = Object.fromEntries(files.map((file) => [file, name]));
        box.environment.bundle({ name, manifest: manifest(name, { settings: declared('OWN') }), files: texts });
      }
      const answers = await box.together(() => names.map((name) => box.install(name, { OWN: name })));
      equal(
        'the statuses',
        pluck(answers, 'status'),
        names.map(() => 200),
      );
      for (const name of names) {
        equal(`the value of ${name}`, env(box, name), { OWN: name });
        const readOwn = (file: string) => readFileSync(join(installedFolder(box, name), file), 'utf8');
        equal(`the files of ${name}`, new Set(files.map(readOwn)), new Set([name]));
        await runningContainer(box, name);
      }
    },
    { requestMs: 15_000 },
  ),
  ...[0, 2, 5, 13].map((delay) =>
    check<BoxContext>(
      `box/changes/killed-after-${delay * 10}-ms`,
      ['should/box/67', 'should/box/518'],
      'is consistent after kill -9 and a start: an app exists completely or not at all, and can be changed',
      (box) => killedInTheMiddle(box, delay * 10),
    ),
  ),
];

/** Kills the box while it installs an app and changes another one, starts it again and verifies both. */
async function killedInTheMiddle(box: BoxContext, delayMs: number): Promise<void> {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`d${index % 7}/f${index}`, 'x'.repeat(3000)]),
  );
  const bundled = box.environment.bundle({
    name: 'quay',
    manifest: manifest('quay'),
    files,
    envExample: 'A=1\n',
  });
  box.environment.placeInstalled({ name: 'lagoon', manifest: manifest('lagoon'), env: 'OLD="a b"\n' });
  await box.get('/api/apps');
  void box.install('quay', { A: 'set' });
  void box.changeSettings('lagoon', { NEW: 'n' });
  // Not a synchronisation: varies the moment of the kill.
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  await box.kill();
  await box.start();
  const apps = list(await box.get('/api/apps'));
  ensure(
    'every listed app is whole',
    apps.every((app) => app.ok === true),
    apps,
  );
  if (isInstalled(box, 'quay')) {
    const [want, have] = [treeDigest(bundled), treeDigest(installedFolder(box, 'quay'))];
    for (const path of Object.keys(want))
      equal(`${path} of the installed app`, have[path]?.slice(-64), want[path]?.slice(-64));
  }
  equal('OLD of the other app', env(box, 'lagoon').OLD, 'a b');
  status(await box.install('quay', { A: 'again' }), 200);
  ensure('its .env is there', existsSync(join(installedFolder(box, 'quay'), '.env')));
  equal('A in the container', (await runningContainer(box, 'quay')).env.A, 'again');
}
