import { execFileSync } from 'node:child_process';
import { type Check, check, NotApplicable } from '../../../kernel/check.ts';
import { ensure, equal, status } from '../../../kernel/expect.ts';
import { declared, manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { env, envText } from '../disk.ts';

/** The size of `.env`, and the largest file that the box may write. */
const sizeBytes = 600_000;
const limitBytes = 300_000;

/** Lets no process of the group write files of more than this, as if the disk were full. A process may die of it. */
function limitFiles(group: number, bytes: string): void {
  try {
    const inGroup = execFileSync('ps', ['-eo', 'pid=,pgid='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .flatMap(([pid = 0, pgid]) => (pgid === group ? [pid] : []));
    for (const pid of inGroup) execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}`], { stdio: 'ignore' });
  } catch {
    throw new NotApplicable('this machine has no ps or prlimit');
  }
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/dotenv/full-disk',
    ['should/box/510'],
    'keeps every byte of .env if there is no room for the new one, and changes it once there is',
    async (box) => {
      const text = `GREETING=mine\n${`#${'n'.repeat(98)}\n`.repeat(sizeBytes / 100)}LAST=kept\n`;
      box.environment.placeInstalled({
        name: 'lagoon',
        manifest: manifest('lagoon', { settings: declared('GREETING', 'LAST') }),
        compose: null,
        env: text,
      });
      await box.get('/api/apps');
      const { pid } = box.subject();
      limitFiles(pid, `${limitBytes}:unlimited`);
      const answer = await box.changeSettings('lagoon', { GREETING: 'new' }).catch(() => null);
      if (answer !== null) ensure('the change fails', answer.status >= 400, answer.status);
      equal('.env', envText(box, 'lagoon') === text, true);
      if (box.subject().ended() === null) limitFiles(pid, 'unlimited');
      else await box.start();
      if (answer?.status === 400) return; // This box does not accept a file of this size at all.
      status(await box.changeSettings('lagoon', { GREETING: 'new' }), 200);
      const { GREETING, LAST } = env(box, 'lagoon');
      equal('GREETING and LAST', [GREETING, LAST], ['new', 'kept']);
    },
  ),
];
