import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type BoxEnvironment, makeBoxEnvironment } from '../../fakes/box-environment.ts';
import { readyAddress, startBoxgate } from '../lib/testing/boxgate-process.ts';
import { oddFiles, putOdd } from '../lib/testing/odd-files.ts';

const kinds = Object.keys(oddFiles);

/** The memory limit: below the size of the huge file and far above the need of a box. */
const mostMemoryKib = 1024 * 1024;

/** Far longer than any answer takes: only a hang exceeds it. */
const answeredWithinMs = 120_000;

type Server = {
  ask(path: string, body?: object): Promise<Answer>;
  said(): string;
  peakKib(): number;
  stop(): Promise<void>;
};

/** Starts a box. Returns the running box, or its output if it ended at its start. */
async function serve(t: TestContext, environment: BoxEnvironment): Promise<Server | string> {
  const program = startBoxgate(['box', 'serve', '--port', '0'], environment.env());
  const { child, said, ended } = program;
  t.after(() => child.kill('SIGKILL'));
  const address = await readyAddress(program);
  if (address === null) return said.err;
  return {
    async ask(path, body) {
      const signal = AbortSignal.timeout(answeredWithinMs);
      const answer = await fetch(address + path, {
        signal,
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
      return { status: answer.status, text: await answer.text() };
    },
    said: () => said.err,
    peakKib: () => Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const manifest = (name: string) => ({
  name,
  version: '1',
  icon: 'icon.svg',
  settings: [{ name: 'A', label: 'A', type: 'text' }],
});
const compose = 'services:\n  web:\n    image: registry.example/web:1\n    env_file: more.env\n';
const files = { 'more.env': 'B=1\n', 'conf.txt': 'x' };
const app = (name: string) => ({
  name,
  manifest: manifest(name),
  compose,
  files,
  env: 'A=1\n',
  envExample: 'A=1\n',
  icon: '<svg/>',
});

const installedFiles = [
  'manifest.json',
  '.env',
  '.env.bak',
  '.env.example',
  'compose.yaml',
  'compose.override.yaml',
  'icon.svg',
  'more.env',
  'conf.txt',
];

type Answer = { status: number; text: string };

/** Verifies that the status is allowed, and that the answer is not the 500 for an unknown fault. */
function assertAnswered(told: string, { status, text }: Answer, allowed: number[]): void {
  assert.ok(allowed.includes(status), `${told}: ${status} ${text}`);
}

/** The names of test apps: one for each combination of a file and a kind of odd file. */
const oddApps = (names: readonly string[]) =>
  names.flatMap((file, i) => kinds.map((kind, j) => ({ file, kind, name: `odd-${i}-${j}` })));

test('an odd file of an installed app does not block the box, and is an error of that app alone', async (t) => {
  const environment = makeBoxEnvironment();
  t.after(() => environment.dispose());
  environment.placeInstalled(app('calm'));
  const odd = oddApps(installedFiles);
  for (const { name, kind, file } of odd) {
    environment.bundle(app(name));
    await putOdd(kind, join(environment.placeInstalled(app(name)), file));
  }
  const box = await serve(t, environment);
  assert.ok(typeof box !== 'string', String(box));
  const listed = JSON.parse((await box.ask('/api/apps')).text) as { name: string; ok: boolean }[];
  assert.equal(listed.length, odd.length + 1);
  assert.ok(listed.every(({ name, ok }) => ok === !name.startsWith('odd-0-')));
  const calm = await box.ask('/api/apps/calm/settings', { settings: { A: '2' } });
  assertAnswered('the calm app', calm, [207]);
  // Either this change or the reconcile at the start has started the container.
  const running = (await environment.docker.containers()).filter(({ running: isUp }) => isUp);
  assert.ok(
    running.some(({ project }) => project === 'calm'),
    calm.text,
  );

  environment.setTool('docker', false);
  for (const { name, kind, file } of odd) {
    const told = `${file} is ${kind}`;
    assertAnswered(`${told}, settings`, await box.ask(`/api/apps/${name}/settings`), [200, 404]);
    const settings = { settings: { A: '2' } };
    // No file can be renamed to the place of a folder.
    const changed = file === '.env.bak' && kind === 'a directory' ? [500] : [207, 400];
    assertAnswered(`${told}, change`, await box.ask(`/api/apps/${name}/settings`, settings), changed);
    assertAnswered(`${told}, update`, await box.ask(`/api/apps/${name}/update`, {}), [200, 502]);
    assertAnswered(`${told}, reinstall`, await box.ask('/api/apps/install', { name }), [207, 400]);
    assertAnswered(`${told}, remove`, await box.ask('/api/apps/remove', { name }), [200]);
  }
  assert.doesNotMatch(box.said(), /internal error/);
  assert.ok(box.peakKib() < mostMemoryKib, `${box.peakKib()} KiB`);
  await box.stop();
});
