import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, refused, status } from '../../../kernel/expect.ts';
import { manifest } from '../apps.ts';
import type { BoxContext } from '../context.ts';
import { containersOf, env, installedFolder, isInstalled, runningContainer } from '../disk.ts';
import { filled, unfilled } from '../placeholders.ts';

const example = '# how to greet\nGREETING=from the example\n\nVAULT_KEY=\nKEPT=as it is\n';
export const checks: Check<BoxContext>[] = [
  check(
    'box/installApp/placeholder',
    ['box/installApp/8', 'box/service/16', 'box/service/20', 'box/states/3', 'box/states/4', 'box/errors/6'],
    'refuses a placeholder, starts nothing and keeps the directory',
    async (box) => {
      box.environment.bundle({ name: 'reef', ...unfilled('reef') });
      const given = box.secret();
      const answer = await box.install('reef', { DB_PASSWORD: given });
      refused(answer, 400);
      ensure('the answer has no password', !answer.text.includes(given), answer.text);
      ensure('the directory stays', isInstalled(box, 'reef'));
      ensure('with its .env', existsSync(join(installedFolder(box, 'reef'), '.env')));
      equal('containers', await containersOf(box, 'reef'), []);
    },
  ),
  check(
    'box/installApp/placeholder-mended-in-place',
    ['box/service/21', 'box/states/5'],
    'succeeds once the owner has edited the .env in place',
    async (box) => {
      box.environment.bundle({ name: 'reef', ...unfilled('reef') });
      for (const _ of ['at first', 'and as long as it is there']) refused(await box.install('reef'), 400);
      const mended = Object.entries({ ...filled, KEPT: 'edited' }).map(([key, value]) => `${key}="${value}"\n`);
      writeFileSync(join(installedFolder(box, 'reef'), '.env'), mended.join(''));
      status(await box.install('reef'), 200);
      const container = await runningContainer(box, 'reef');
      equal(
        "the owner's values reach the container",
        [container.env.API_TOKEN, container.env.KEPT],
        ['filled API_TOKEN', 'edited'],
      );
    },
  ),
  check(
    'box/installApp/settings-before-placeholders',
    ['box/post-rules/2'],
    'writes the settings before it looks for placeholders',
    async (box) => {
      for (const name of ['shoal', 'reef']) box.environment.bundle({ name, ...unfilled(name) });
      status(await box.install('shoal', filled), 200);
      const { env: inside } = await runningContainer(box, 'shoal');
      equal('API_TOKEN in the container', inside.API_TOKEN, 'filled API_TOKEN');
      refused(await box.install('reef', { KEPT: 'written first' }), 400);
      equal('KEPT in .env after the refusal', env(box, 'reef').KEPT, 'written first');
    },
  ),
  check(
    'box/installApp/name',
    ['box/installApp/5', 'box/errors/2', 'box/errors/6'],
    'refuses a name that is missing, empty or not a string',
    async (box) => {
      for (const name of [undefined, '', null, 7, true, ['quay'], { name: 'quay' }]) {
        refused(await box.post('/api/apps/install', { name }), 400, "missing or empty 'name' field");
      }
    },
  ),
  check(
    'box/installApp/settings-no-object',
    ['box/installApp/6', 'box/errors/2'],
    'refuses settings that are not an object',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
      for (const bad of ['x', '', 7, 0, true, false, [], [{ A: 'b' }]]) {
        const answer = await box.post('/api/apps/install', { name: 'quay', settings: bad });
        refused(answer, 400, "'settings' must be an object");
      }
    },
  ),
  check('box/installApp/unknown-app', ['box/installApp/7', 'box/errors/6'], 'refuses an unknown app', async (box) => {
    box.environment.bundle({ name: 'quay', manifest: manifest('quay') });
    // These names match no app, whatever the path resolution.
    for (const name of ['nobody', '.', '..', '../nobody', '/etc', 'a\u0000', 'x'.repeat(300)]) {
      refused(await box.install(name), 400);
    }
  }),
  check(
    'box/installApp/no-manifest',
    ['box/installApp/7', 'box/service/11', 'box/errors/6'],
    'refuses a bundled directory without a manifest, which is no app',
    async (box) => {
      box.environment.bundle({ name: 'bare', manifest: null });
      refused(await box.install('bare'), 400);
    },
  ),
  check(
    'box/installApp/invalid-values',
    ['box/installApp/9', 'box/errors/6'],
    'refuses values that a .env cannot represent',
    async (box) => {
      box.environment.bundle({ name: 'quay', manifest: manifest('quay'), envExample: example });
      refused(await box.install('quay', { '': 'x', 'A=B': 'x', 'C\nD': 'x', E: 'nul\u0000byte' }), 400);
      equal('containers', await containersOf(box, 'quay'), []);
    },
  ),
];
