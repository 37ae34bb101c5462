import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal } from '../../../kernel/expect.ts';
import type { BoxContext } from '../context.ts';
import { buttons } from './elements.ts';
import { openLog } from './log.ts';
import { onPage } from './management-page.ts';
import { fillShelf, harbour, lagoon } from './shelf.ts';

const postCheck = (
  id: string,
  rules: string[],
  title: string,
  button: RegExp,
  expected: { path: string; body?: unknown },
): Check<BoxContext> =>
  check(id, rules, title, (box) => {
    fillShelf(box.environment);
    return onPage(box, async ({ pressToPost }) => {
      const { path, body } = await pressToPost(harbour.title, button);
      equal('the request', { path, ...('body' in expected ? { body } : {}) }, expected);
    });
  });

export const checks: Check<BoxContext>[] = [
  postCheck('box/page/reinstall', ['box/page/8'], 'reinstalls by an install with the name alone', buttons.reinstall, {
    path: '/api/apps/install',
    body: { name: harbour.name },
  }),
  postCheck('box/page/remove', ['box/page/20'], 'removes by a POST of the name', buttons.remove, {
    path: '/api/apps/remove',
    body: { name: harbour.name },
  }),
  postCheck('box/page/update', ['box/page/21'], 'updates by a POST to the update of the app', buttons.update, {
    path: `/api/apps/${harbour.name}/update`,
  }),
  check(
    'box/page/log',
    ['box/page/9'],
    'keeps the status line and the JSON of the latest action in a panel that folds',
    (box) => {
      fillShelf(box.environment);
      return onPage(box, async ({ page, pressToPost }) => {
        const first = await (await pressToPost(lagoon.title, buttons.update)).answer();
        const done = await openLog(page, first);
        equal('the JSON of the answer hides and comes back as its panel folds', done.folds, true);
        box.environment.setTool('docker', false);
        const failed = await openLog(page, await (await pressToPost(harbour.title, buttons.update)).answer());
        for (const { status } of [done, failed]) ensure('a status line beside the JSON', /\w/.test(status), status);
        ensure('the status line changes with the action', done.status !== failed.status, failed.status);
      });
    },
  ),
];
