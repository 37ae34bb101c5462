import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, isObject, matches, record, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { BoxContext } from '../context.ts';
import { holdingLock, isLocked } from './lock.ts';

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
  check(
    'box/getSelfUpdateStatus/damaged-says-so',
    ['choice/box/134'],
    'does not show a damaged file as no update',
    async (box) => {
      const torn = ['{"stage": "downl', '', '[]', 'null', '7', '"done"'];
      const mistyped = ['stage', 'attempt', 'unit', 'from', 'to', 'message', 'reason', 'outcome'].map((field) =>
        JSON.stringify({ ...whole, reason: 'x', [field]: field === 'unit' ? null : 7 }),
      );
      const misformed = [
        ...['started_at', 'updated_at', 'finished_at'].flatMap((field) =>
          [7, null, 'yesterday', '2026-13-02T03:04:05Z'].map((value) => ({ [field]: value })),
        ),
        ...[-0.1, 1.1, '0.5'].map((progress) => ({ progress })),
        ...['bytes', 'bytes_total'].flatMap((field) => [-1, 0.5, '7'].map((value) => ({ [field]: value }))),
        ...[7, 'CHANGELOG.md', 'http://a.example/'].map((changelog) => ({ changelog })),
      ].map((fields) => JSON.stringify({ ...whole, ...fields }));
      const long = JSON.stringify({ ...whole, message: 'x'.repeat(70_000) });
      for (const text of [...torn, ...mistyped, ...misformed, long]) {
        writeState(box, text);
        const state = record(await box.get('/api/self/update/status'));
        equal(`stage for ${text.slice(0, 80)}`, state.stage, 'rolled_back');
        matches(`reason for ${text.slice(0, 80)}`, state.reason, /damaged/);
      }
      const download = { progress: 0.5, bytes: 0, bytes_total: 7, changelog: 'https://a.example/b#c' };
      const started_at = '2026-01-02T05:04:05.123456+02:00';
      const sound = { ...whole, ...download, started_at, later: [1] };
      writeState(box, JSON.stringify(sound));
      equal('a sound one', (await box.get('/api/self/update/status')).json, sound);
      const path = join(box.environment.stateDir, 'update-state.json');
      rmSync(path);
      mkdirSync(path);
      const { stage } = record(await box.get('/api/self/update/status'));
      equal('stage with a directory in its place', stage, 'rolled_back');
    },
  ),
  check(
    'box/getSelfUpdateStatus/interrupted',
    ['choice/box/135'],
    'corrects an unfinished state at start-up only if the lock is free',
    async (box) => {
      writeState(box, JSON.stringify({ ...whole, stage: 'downloading', outcome: undefined, finished_at: undefined }));
      await holdingLock(box, async () => {
        const { stage } = record(await box.get('/api/self/update/status'));
        equal('stage while the lock is held', stage, 'downloading');
        await box.stop();
      });
      await box.start();
      const state = record(await box.get('/api/self/update/status'));
      equal('stage', state.stage, 'rolled_back');
      ensure('reason', /interrupted/.test(String(state.reason)), state.reason);
      await until('nobody holds the lock', async () => !(await isLocked(box)));
    },
  ),
  check(
    'box/getSelfUpdateStatus/interrupted-late',
    ['choice/box/133', 'choice/box/135'],
    'infers the result of an interrupted update from the running version',
    async (box) => {
      const { current } = record(await box.post('/api/self/update/check'));
      const table = [
        [{ stage: 'verifying', to: '987.6.5' }, ['rolled_back', 'unchanged']],
        [{ stage: 'switching', to: '987.6.5' }, ['rolled_back', 'reverted']],
        [{ stage: 'restarting', to: '987.6.5' }, ['rolled_back', 'reverted']],
        [{ stage: 'health_check', to: '987.6.5' }, ['rolled_back', 'reverted']],
        [{ stage: 'health_check', to: current }, ['done', 'updated']],
        [{ stage: 'done', to: '987.6.5', outcome: 'updated' }, ['done', 'updated']],
        [{ stage: 'rolled_back', to: current, outcome: 'reverted' }, ['rolled_back', 'reverted']],
        [{ stage: 'restarting', to: current, from: current }, ['rolled_back', 'reverted']],
      ] as const;
      for (const [cutShort, end] of table) {
        await box.stop();
        writeState(box, JSON.stringify({ attempt: 'a1', from: '0.0.1', ...cutShort }));
        await box.start();
        const state = record(await box.get('/api/self/update/status'));
        const named = JSON.stringify(cutShort);
        equal(`stage and outcome after ${named}`, [state.stage, state.outcome], end);
        equal(`attempt after ${named}`, state.attempt, 'a1');
        // If an outcome is recorded, nothing was interrupted.
        const isEnded = 'outcome' in cutShort;
        equal(`whether its end came after ${named}`, typeof state.finished_at, isEnded ? 'undefined' : 'string');
      }
    },
  ),
];
