import { deepEqual, equal, match } from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Outcome } from '../api.js';
import { type Report, runOperation, type Status } from './operations.js';

/** A page of one line: what each app's card says, what was announced and reported, and the apps that are installed. */
function fakeStage() {
  const statuses = new Map<string, Status>();
  const announced: string[] = [];
  const reports: Report[] = [];
  const box = { installed: null as { name: string }[] | null };
  const stage = {
    setStatus: (app: string, status: Status | null) => void (status ? statuses.set(app, status) : statuses.delete(app)),
    getStatus: (app: string) => statuses.get(app),
    refresh: async () => box.installed,
    announce: (text: string) => void announced.push(text),
    report: (report: Report) => void reports.push(report),
  };
  return { stage, statuses, announced, reports, box };
}

const answer = (outcome: Outcome<unknown>) => ({
  verb: 'install' as const,
  app: 'wiki',
  title: 'Wiki',
  request: async () => outcome,
});
const lost: Outcome<unknown> = { kind: 'lost', message: 'The connection to the box was lost.' };

/** Advances the timers second by second and runs everything that waits for them. */
async function pass(t: TestContext, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    t.mock.timers.tick(1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('puts the error of another app on its card, and takes it off when it is mended', async () => {
  const { stage, statuses } = fakeStage();
  const reply = (kind: 'error' | 'start', status: number): Outcome<unknown> => ({
    kind: status === 207 ? 'partial' : 'done',
    status,
    body: { actions: [{ kind, target: 'vault/web', detail: 'The port is taken.' }] },
  });
  await runOperation(answer(reply('error', 207)), stage);
  equal(statuses.get('vault')?.text, 'Found while working on Wiki: The port is taken.');
  await runOperation(answer(reply('start', 200)), stage);
  equal(statuses.get('vault'), undefined);
});

test('starts nothing on an app that is being worked on', async () => {
  const { stage, statuses, reports } = fakeStage();
  statuses.set('wiki', { kind: 'running', text: 'Updating' });
  await runOperation(answer({ kind: 'done', status: 200, body: {} }), stage);
  deepEqual(reports, []);
});

test('shows no secret in the lines of a log either', async () => {
  const { stage, statuses } = fakeStage();
  const actions = [{ kind: 'error', target: 'wiki', detail: 'It ended with status 3:\nkey hunter22 is bad' }];
  const partial: Outcome<unknown> = { kind: 'partial', status: 207, body: { actions } };
  await runOperation({ ...answer(partial), secrets: ['hunter22'] }, stage);
  equal(statuses.get('wiki')?.detail, 'It ended with status 3:\nkey •••• is bad');
});

test('shows no secret that was typed, whoever repeats it', async () => {
  const { stage, statuses, announced, reports } = fakeStage();
  const message = 'the value hunter22 is too short';
  const refused: Outcome<unknown> = { kind: 'refused', status: 400, body: { error: message }, message };
  await runOperation({ ...answer(refused), secrets: ['hunter22'] }, stage);
  equal(statuses.get('wiki')?.text, 'Install refused: the value •••• is too short');
  equal(JSON.stringify([announced, reports]).includes('hunter22'), false);
});

test('reminds once a minute of what still runs', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { stage, announced } = fakeStage();
  const answered = Promise.withResolvers<Outcome<unknown>>();
  const ended = runOperation({ ...answer(lost), request: () => answered.promise }, stage);
  await pass(t, 125);
  equal(announced.length, 3);
  match(announced[2] ?? '', /^Wiki: Installing, .* so far$/);
  answered.resolve({ kind: 'done', status: 200, body: {} });
  await ended;
  await pass(t, 125);
  equal(announced.length, 4);
});

test('says after two minutes what it could not find out', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { stage, statuses, reports } = fakeStage();
  const ended = runOperation(answer(lost), stage);
  await pass(t, 125);
  await ended;
  equal(statuses.get('wiki')?.kind, 'unknown');
  match(statuses.get('wiki')?.text ?? '', /the box does not answer/);
  equal(reports[0]?.line, 'Install: Wiki (no answer)');
});
