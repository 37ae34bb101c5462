import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type AppFiles, type Box, startBox } from '../support/box.ts';
import { container, containers, identity } from '../support/docker.ts';
import { registry } from '../support/registry.ts';
import { until } from '../support/until.ts';

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
const loops = '    restart: unless-stopped\n';
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

test('a container that ends is an error with its status and the end of its log, without its secret', async (t) => {
  const ends = 'echo starting; echo no way in with $$DB_PASSWORD >&2; exit 3';
  const box = await startBox(t, { 'real-loop': running(ends, loops), 'real-once': running(ends) });
  // A listing may find the looping container while it runs again. Docker then reports only its number of restarts.
  const problems = {
    'real-loop': 'does not stay up: (it ended with status 3, and )?Docker ',
    'real-once': 'ended with status 3',
  };
  for (const [name, problem] of Object.entries(problems)) {
    const { target, detail } = await errorOf(box.install(name, { DB_PASSWORD: 'correct-horse-battery' }));
    assert.equal(target, `${name}/web`);
    assert.match(detail, new RegExp(`^the container ${name}-web-1 ${problem}.*; its log ends with: `));
    assert.match(detail, /starting/);
    assert.match(detail, /no way in with •••/);
    await box.remove(name);
  }
});

test('a container that ends soon and is found running again does not pass', async (t) => {
  const box = await startBox(t, { 'real-soon': running('sleep 0.7; exit 4', loops) });
  assert.match((await errorOf(box.install('real-soon'))).detail, /does not stay up/);
});

test('an app in a crash loop is reported by the changes of others, which leave it alone, and tried by its own', async (t) => {
  const box = await startBox(t, { 'real-loop': running('exit 3', loops), 'real-other': running('sleep 600') });
  assert.equal((await box.install('real-other')).status, 200);
  await errorOf(box.install('real-loop'));
  const before = [container('real-loop', 'web').id, ...identity('real-other')];
  // The container runs for a moment after each restart. A change in such a moment finds nothing wrong.
  await until('a change tells of the crash loop', async () => {
    const { status, body } = await box.change('real-other', {});
    assert.equal(status, 200, JSON.stringify(body));
    const [told] = about(body.actions, 'real-loop');
    if (told?.kind === 'noop') return false;
    assert.equal(told?.kind, 'warn');
    assert.match(told.detail, /restarting again and again after it ended with status 3/);
    return true;
  });
  assert.deepEqual([container('real-loop', 'web').id, ...identity('real-other')], before);
  await errorOf(box.change('real-loop', {}));
});

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

/** A registry in front of the real one, which keeps every client waiting until `open` is set. */
async function slowRegistry(t: TestContext, waitMs: number): Promise<{ address: string; open: boolean }> {
  const gate = { address: '', open: false };
  const [host = '', port = ''] = registry.split(':');
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client.on('error', () => client.destroy()));
    if (!gate.open) return void setTimeout(() => client.destroy(), waitMs);
    const behind = connect(Number(port), host, () => client.pipe(behind).pipe(client));
    sockets.add(behind.on('error', () => client.destroy()));
  }).listen(0, '127.0.0.1');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  gate.address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return gate;
}

test('an image that cannot be pulled delays no change of another app, and comes by itself', async (t) => {
  const gate = await slowRegistry(t, 2000);
  const far = { compose: `services: { web: { image: "${gate.address}/web:2" } }` };
  const box = await startBox(t, { 'real-far': far, 'real-near': running('sleep 600') });
  assert.equal((await box.install('real-near')).status, 200);
  const own = await secondsOf(() => errorOf(box.install('real-far')));
  const others = await secondsOf(async () => {
    const { status, body } = await box.change('real-near', {});
    assert.equal(status, 200, JSON.stringify(body));
    const warning = body.actions.find(({ kind }: { kind: string }) => kind === 'warn');
    assert.equal(warning?.target, 'real-far');
    assert.match(warning.detail, /the box tries again by itself$/);
  });
  assert.ok(own > 2 && others < own / 2, `${own} s, ${others} s`);
  gate.open = true;
  // The pull that the previous change started may still be waiting.
  await until('the image is pulled beside a change', async () => {
    await box.change('real-near', {});
    return containers('real-far').some(({ status }) => status === 'running');
  });
  const answer = await box.change('real-near', {});
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
});
