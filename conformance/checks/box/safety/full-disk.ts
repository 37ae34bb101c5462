import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, status } from '../../../kernel/expect.ts';
import { limitFiles } from '../../limit-files.ts';
import { declared, manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { env, envText } from '../disk.ts';

/** The size of `.env`, and the largest file that the box may write. */
const sizeBytes = 600_000;
const limitBytes = 300_000;

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
