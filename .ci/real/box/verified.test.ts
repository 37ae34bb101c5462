import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AppFiles, type Box, startBox } from '../support/box.ts';
import { registry } from '../support/programs/registry.ts';

type Action = { kind: string; target: string; detail: string };

/** An app of one service that runs this shell command; `more` is added to the service. */
const running = (command: string, more = ''): AppFiles => ({
  compose: `services:
  web:
    image: "${registry}/web:1"
    environment: ["DB_PASSWORD=\${DB_PASSWORD:-}"]
    command: ["sh", "-c", ${JSON.stringify(command)}]
    stop_signal: SIGKILL
${more}`,
});
const health = (test: string, more = '') =>
  `    healthcheck: { test: ["CMD-SHELL", "${test}"], interval: 1s, timeout: 2s, retries: 2${more} }\n`;

const about = (actions: Action[], app: string) => actions.filter(({ target }) => target.split('/')[0] === app);
const errorsOf = (actions: Action[]) => actions.filter(({ kind }) => kind === 'error');

/** The one error of an answer that must be a 207. */
async function errorOf(answer: ReturnType<Box['install']>): Promise<Action> {
  const { status, body } = await answer;
  assert.equal(status, 207, JSON.stringify(body));
  const [error, ...more] = errorsOf(body.actions);
  assert.deepEqual(more, []);
  return error as Action;
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

test('waits for a health check, and tells the app that is ill from the one that is still starting', async (t) => {
  const later = 'sleep 3; touch /tmp/up; sleep 600';
  const box = await startBox(t, {
    'real-slow': running(later, health('test -e /tmp/up', ', start_period: 30s')),
    'real-ill': running('sleep 600', health('false')),
    'real-never': running('sleep 600', health('false', ', start_period: 100s')),
  });
  const slow = await box.install('real-slow');
  assert.equal(slow.status, 200, JSON.stringify(slow.body));
  assert.ok(!JSON.stringify(slow.body).includes('starting'), JSON.stringify(slow.body));
  assert.match((await errorOf(box.install('real-ill'))).detail, /real-ill-web-1 is unhealthy/);
  await box.remove('real-ill');
  const seconds = await secondsOf(async () => {
    const { status, body } = await box.install('real-never');
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(
      about(body.actions, 'real-never').at(-1)?.detail ?? '',
      /; still starting, allowed until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/,
    );
  });
  assert.ok(seconds < 20, `${seconds} s`);
});
