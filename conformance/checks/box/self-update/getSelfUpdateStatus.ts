import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, isObject, status } from '../../../kernel/expect.ts';
import type { BoxContext } from '../context.ts';

const whole = {
  stage: 'done',
  attempt: 'a1',
  from: '0.0.1',
  to: '0.0.2',
  started_at: '2026-01-02T03:04:05.000Z',
  finished_at: '2026-01-02T03:05:06.000Z',
  outcome: 'updated',
};

function writeState(box: BoxContext, text: string): void {
  mkdirSync(box.environment.stateDir, { recursive: true });
  writeFileSync(join(box.environment.stateDir, 'update-state.json'), text);
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/getSelfUpdateStatus/never',
    ['box/getSelfUpdateStatus/1', 'box/getSelfUpdateStatus/2', 'box/update-state/1', 'box/update-state/4'],
    'answers {} before the first update, also after a check',
    async (box) => {
      equal('at first', (await box.get('/api/self/update/status')).json, {});
      await box.post('/api/self/update/check');
      box.environment.feed.publish('987.65.4');
      await box.post('/api/self/update/check');
      equal(
        'after a check that finds something and one that does not',
        (await box.get('/api/self/update/status')).json,
        {},
      );
      await box.restart();
      equal('after a restart', (await box.get('/api/self/update/status')).json, {});
    },
  ),
  check(
    'box/getSelfUpdateStatus/from-the-file',
    ['box/getSelfUpdateStatus/1', 'box/update-state/1', 'box/process/21', 'box/process/6'],
    'shows the state that the updater wrote to update-state.json',
    async (box) => {
      writeState(box, JSON.stringify(whole));
      equal('the state', (await box.get('/api/self/update/status')).json, whole);
    },
  ),
  check(
    'box/getSelfUpdateStatus/damaged',
    ['box/getSelfUpdateStatus/2', 'box/update-state/1'],
    'answers 200 with an object if the file is damaged',
    async (box) => {
      for (const text of ['', '{', '\u0000']) {
        writeState(box, text);
        const answer = await box.request({ method: 'GET', path: '/api/self/update/status' });
        status(answer, 200);
        ensure(`an object for the file ${JSON.stringify(text)}`, isObject(answer.json), answer.json);
      }
    },
  ),
];
