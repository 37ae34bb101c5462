import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Check, check } from '../../../kernel/check.ts';
import { ensure, equal, pluck, record, refused, status } from '../../../kernel/expect.ts';
import { until } from '../../../kernel/observe.ts';
import type { BoxContext } from '../context.ts';
import { holdingLock, isLocked } from './lock.ts';

const apply = (box: BoxContext, body?: unknown) => box.post('/api/self/update/apply', body);
const starts = (box: BoxContext) => box.environment.systemd.calls().filter(([tool]) => tool === 'systemd-run');

async function isFinished(box: BoxContext): Promise<boolean> {
  const { stage } = record(await box.get('/api/self/update/status'));
  return stage === 'done' || stage === 'rolled_back';
}

export const checks: Check<BoxContext>[] = [
  check(
    'box/applySelfUpdate/dispatches',
    [
      'box/applySelfUpdate/1',
      'box/applySelfUpdate/3',
      'box/errors/4',
      'box/service/27',
      'box/post-rules/15',
      'box/post-rules/16',
      'box/post-rules/18',
      'box/process/18',
    ],
    'starts a transient unit, releases the lock and answers while the job still runs',
    async (box) => {
      box.environment.systemd.hold();
      const answer = await apply(box);
      status(answer, 202);
      const { status: state, unit } = record(answer);
      equal('status', state, 'dispatched');
      const [running, ...more] = box.environment.systemd.units();
      equal('one unit is active', [running?.activeState, more.length], ['active', 0]);
      const isNamed = typeof unit === 'string' && (running?.name === unit || running?.name === `${unit}.service`);
      ensure('unit is its name', isNamed, { unit, running: running?.name });
      equal('the lock is held', await isLocked(box), false);
      box.environment.systemd.release();
    },
  ),
  check(
    'box/applySelfUpdate/outlives-the-server',
    ['box/post-rules/17', 'box/service/27', 'box/update-state/5', 'box/update-state/1'],
    'starts a job that outlives the server, and whose state the next server shows',
    async (box) => {
      box.environment.systemd.hold();
      status(await apply(box), 202);
      await box.stop();
      equal('the unit after the server ended', pluck(box.environment.systemd.units(), 'activeState'), ['active']);
      box.environment.systemd.release();
      await until('the job ends', () => box.environment.systemd.units().length === 0);
      const { stage } = record(await box.get('/api/self/update/status'));
      ensure('the state has a stage', typeof stage === 'string' && stage !== '', stage);
    },
  ),
  check(
    'box/applySelfUpdate/state-afterwards',
    ['box/update-state/5', 'box/update-state/7', 'box/process/21', 'box/getSelfUpdateStatus/1'],
    'records a stage, and the reason of a rollback, in update-state.json too',
    async (box) => {
      status(await apply(box), 202);
      await until('the job ends', () => isFinished(box));
      const { json } = await box.get('/api/self/update/status');
      const state = record({ json });
      if (state.stage === 'rolled_back') {
        ensure('reason is a text', typeof state.reason === 'string' && state.reason !== '', state);
      }
      const file = JSON.parse(readFileSync(join(box.environment.stateDir, 'update-state.json'), 'utf8'));
      equal('update-state.json', file, json);
    },
  ),
  check(
    'box/applySelfUpdate/rolled-back-says-why',
    ['box/update-state/7'],
    'says why an update with an unreadable feed was rolled back',
    async (box) => {
      box.environment.feed.publishText('no feed');
      const answer = await apply(box);
      if (answer.status !== 202) refused(answer, 502);
      const isOver = async () => box.environment.systemd.units().length === 0 || (await isFinished(box));
      await until('the job ends', isOver);
      const state = record(await box.get('/api/self/update/status'));
      if (state.stage === 'rolled_back')
        ensure('reason is a text', typeof state.reason === 'string' && state.reason !== '', state);
    },
  ),
  check(
    'box/applySelfUpdate/running',
    ['box/applySelfUpdate/4', 'box/post-rules/7', 'box/errors/8', 'box/process/22'],
    'answers 409 while another program holds the update lock, and starts nothing',
    async (box) => {
      await box.get('/api/self/update/status');
      // The result of an earlier update does not matter. Only the lock shows whether one is running.
      mkdirSync(box.environment.stateDir, { recursive: true });
      const file = join(box.environment.stateDir, 'update-state.json');
      writeFileSync(file, JSON.stringify({ stage: 'rolled_back', reason: 'the mooring broke' }));
      await holdingLock(box, async () => refused(await apply(box), 409));
      equal('calls of systemd-run', starts(box), []);
      status(await apply(box), 202);
    },
  ),
  check(
    'box/applySelfUpdate/cannot-start',
    ['box/applySelfUpdate/5', 'box/errors/10'],
    'answers 502 if the job cannot be started',
    async (box) => {
      const stderr = 'Failed to start transient service unit: Connection timed out\n';
      box.environment.systemd.addFault({ tool: 'systemd-run', match: '', status: 1, stderr, times: 20 });
      refused(await apply(box), 502);
      ensure('the fault was met', box.environment.systemd.faultsFired() > 0);
    },
  ),
  check(
    'box/applySelfUpdate/no-service-manager',
    ['box/applySelfUpdate/5'],
    'answers 502 if there is no service manager',
    async (box) => {
      box.environment.setTool('systemd-run', false);
      refused(await apply(box), 502);
    },
  ),
  check('box/applySelfUpdate/body-ignored', ['box/applySelfUpdate/2'], 'ignores the body', async (box) => {
    status(await apply(box, { name: 7, unit: 'other', version: '0.0.1' }), 202);
  }),
];
