import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type BoxEnvironment, makeBoxEnvironment } from '../../fakes/box-environment.ts';
import { processTree } from '../real/support/processes.ts';
import { generator, seed } from '../real/support/random.ts';
import { type Answer, launcher, ServerProcess } from '../real/support/server-process.ts';
import { until } from '../real/support/until.ts';

/**
 * Kills a box with fake tools. Fakes are fast, so this test kills at more moments than the test with a real engine.
 */
const moments = Number(process.env.BOXGATE_KILL_MOMENTS ?? 110);
/** Number of boxes that are tested in parallel. */
const lanes = 2;

const image = 'registry.example/killed:1';
const compose = `services:\n  web:\n    image: ${image}\n    env_file: .env\n`;
const files = ['.env.example', 'compose.yaml', 'conf/a.txt', 'conf/b.txt', 'manifest.json'];

const appOf = (name: string, version: string) => ({
  name,
  manifest: { name, version, settings: [{ name: 'A', label: 'A', type: 'password' }] },
  compose,
  envExample: 'A=example\nKEEP=this is mine\n',
  files: { 'conf/a.txt': version.repeat(50_000), 'conf/b.txt': version },
});

class Lane {
  readonly world: BoxEnvironment = makeBoxEnvironment();
  readonly server = new ServerProcess(['box', 'serve'], (port) => ({
    ...this.world.env(),
    BOX_PORT: port,
  }));
  readonly random: () => number;
  version = '1';
  /** Duration of the last complete operation of each kind, in ms. */
  readonly took = new Map<string, number>();

  constructor(number: number) {
    this.random = generator(seed + number);
  }

  get app(): string {
    return join(this.world.installedApps, 'killed');
  }

  bundle(): void {
    rmSync(join(this.world.bundledApps, 'killed'), { recursive: true, force: true });
    this.world.bundle(appOf('killed', this.version));
  }

  post(path: string, body: object): Promise<Answer> {
    return this.server.ask(path, { method: 'POST', body: JSON.stringify(body) });
  }

  env(): string | null {
    const file = join(this.app, '.env');
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  }

  /** Runs `boxgate box trash …`, and kills it after `killAfterMs` if given. */
  async trash(args: string[], killAfterMs?: number): Promise<string> {
    const child = spawn(process.execPath, [launcher, 'box', 'trash', ...args], {
      env: this.world.env(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (bytes) => {
      said += bytes;
    });
    const closed = once(child, 'close');
    if (killAfterMs !== undefined) {
      await pause(killAfterMs);
      child.kill('SIGKILL');
    }
    await closed;
    return said;
  }
}

/** Repeatable operations; each starts from the final state of the previous operation. */
type Operation = {
  name: string;
  prepare?: (lane: Lane) => void;
  act: (lane: Lane, value: string, killAfterMs?: number) => Promise<Answer | string>;
  /** Allowed statuses when the operation is repeated. */
  repeated: number[];
  env: (before: string | null, value: string) => string | null;
};

const settled = (env: string | null, value: string) =>
  (env ?? 'A=example\nKEEP=this is mine\n').replace(/^A=.*$/m, `A=${value}`);

const operations: Operation[] = [
  {
    name: 'install',
    act: (lane, value) => lane.post('/api/apps/install', { name: 'killed', settings: { A: value } }),
    repeated: [200],
    env: settled,
  },
  {
    name: 'settings',
    act: (lane, value) => lane.post('/api/apps/killed/settings', { settings: { A: value } }),
    repeated: [200],
    env: settled,
  },
  {
    name: 'reinstall',
    prepare(lane) {
      lane.version = lane.version === '1' ? '2' : '1';
      lane.bundle();
    },
    act: (lane, value) => lane.post('/api/apps/install', { name: 'killed', settings: { A: value } }),
    repeated: [200],
    env: settled,
  },
  {
    name: 'update',
    prepare: (lane) => void lane.world.docker.advance(image),
    act: (lane) => lane.post('/api/apps/killed/update', {}),
    repeated: [200],
    env: (before) => before,
  },
  {
    name: 'remove',
    act: (lane) => lane.post('/api/apps/remove', { name: 'killed' }),
    repeated: [200, 404],
    env: () => null,
  },
  {
    name: 'restore',
    async act(lane, _value, killAfterMs) {
      const [newest = ''] = (await lane.trash(['list'])).trim().split('\n').slice(-1);
      return lane.trash(['restore', 'killed'], killAfterMs).then((said) => `${newest}\n${said}`);
    },
    repeated: [],
    env: (before) => before,
  },
];

/** Asserts that the app is complete or absent, and that no temporary file is left. */
function invariants(lane: Lane, envs: (string | null)[]): void {
  const { world } = lane;
  assert.deepEqual(
    readdirSync(world.root).filter((name) => name.startsWith('.boxgate')),
    [],
    'no work folder stays',
  );
  const unknown = readdirSync(world.installedApps).filter((name) => !['calm', 'killed'].includes(name));
  assert.deepEqual(unknown, [], 'nothing is left among the apps');
  const inState = readdirSync(world.stateDir, { recursive: true, encoding: 'utf8' });
  assert.deepEqual(
    inState.filter((path) => /journal|\.boxgate-|\.erase/.test(path) && !path.startsWith('trash/')),
    [],
  );
  if (!existsSync(lane.app)) return;
  const found = readdirSync(lane.app, { recursive: true, encoding: 'utf8' });
  assert.deepEqual(
    found.filter((path) => !['conf', '.env', '.env.bak', ...files].includes(path)),
    [],
    'no temporary file stays',
  );
  assert.deepEqual(
    files.filter((path) => !found.includes(path)),
    [],
    'no file is missing',
  );
  const version = readFileSync(join(lane.app, 'conf/b.txt'), 'utf8');
  assert.equal(readFileSync(join(lane.app, 'conf/a.txt'), 'utf8'), version.repeat(50_000), 'one version');
  assert.equal(JSON.parse(readFileSync(join(lane.app, 'manifest.json'), 'utf8')).version, version);
  assert.ok(envs.includes(lane.env()), `a torn .env: ${lane.env()}`);
}

/** Kills the server and, if `whole`, the commands that it started. */
async function kill(lane: Lane, whole: boolean): Promise<void> {
  const pids = whole ? processTree(lane.server.process?.pid ?? 0).slice(1) : [];
  await lane.server.kill();
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process group has already ended.
    }
  }
}

async function killStart(lane: Lane, ms: number): Promise<void> {
  const starting = lane.server.start().catch(() => undefined);
  await pause(ms);
  await lane.server.kill();
  await starting;
}

async function timed<T>(lane: Lane, kind: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  lane.took.set(kind, performance.now() - started);
  return result;
}

async function round(t: TestContext, lane: Lane, number: number): Promise<number> {
  const operation = operations[number % operations.length] as Operation;
  const value = `round-${number}`;
  const isCommand = operation.name === 'restore';
  const at = Math.floor(lane.random() * (lane.took.get(operation.name) ?? 500));
  const whole = lane.random() < 0.5;
  const startAt = lane.random() < 0.25 ? Math.floor(lane.random() * (lane.took.get('start') ?? 300)) : null;
  const told = `round ${number}: ${operation.name} killed after ${at} ms${whole ? ', with its commands' : ''}${startAt === null ? '' : `, the start after ${startAt} ms`} (seed ${seed})`;
  t.diagnostic(told);
  const calm = await lane.world.docker.project('calm');
  operation.prepare?.(lane);
  const before = lane.env();
  const after = operation.env(before, value);
  const example = appOf('killed', '1').envExample;
  const envs = [before, after, example, settled(example, value)];

  const cut = operation.act(lane, value, isCommand ? at : undefined).catch(() => undefined);
  if (!isCommand) await pause(at);
  else await cut;
  await kill(lane, whole);
  await cut;
  try {
    if (startAt !== null) await killStart(lane, startAt);
    await timed(lane, 'start', () => lane.server.start());
    const inTrash = [...envs, ...Array.from({ length: number }, (_, i) => settled(example, `round-${i}`))];
    invariants(lane, operation.name === 'restore' ? inTrash : envs);
    assert.equal((await lane.server.ask('/api/apps')).status, 200);
    if (isCommand) {
      if (!existsSync(lane.app)) await timed(lane, 'restore', () => lane.trash(['restore', 'killed']));
      assert.ok(existsSync(lane.app), 'what was removed comes back');
      // The next rounds install the app again.
      assert.equal((await lane.post('/api/apps/remove', { name: 'killed' })).status, 200);
    } else {
      const answer = (await timed(lane, operation.name, () => operation.act(lane, value))) as Answer;
      assert.ok(operation.repeated.includes(answer.status), JSON.stringify(answer));
      assert.equal(lane.env(), after);
      const runs = async () => {
        const web = (await lane.world.docker.project('killed')).web;
        if (operation.name === 'remove') return web === undefined;
        return web?.running === true && web.imageId === (await lane.world.docker.imageId(image));
      };
      await until('what it was to do is done', runs);
    }
    invariants(lane, [after]);
    assert.deepEqual(await lane.world.docker.project('calm'), calm, 'the neighbour is as it was');
  } catch (error) {
    throw new Error(told, { cause: error });
  }
  return startAt === null ? 1 : 2;
}

test(`kill -9 at ${moments} moments, on stand-ins (seed ${seed})`, async (t) => {
  const all = Array.from({ length: lanes }, (_, number) => new Lane(number));
  let killed = 0;
  let next = 0;
  await Promise.all(
    all.map(async (lane) => {
      t.after(async () => {
        await lane.server.kill();
        await lane.world.dispose();
      });
      lane.world.bundle(appOf('calm', '1'));
      lane.bundle();
      await lane.server.start();
      assert.equal((await lane.post('/api/apps/install', { name: 'calm', settings: { A: 'x' } })).status, 200);
      for (let number = 0; killed < moments; number += 1) {
        killed += await round(t, lane, number);
        next += 1;
      }
    }),
  );
  t.diagnostic(`${killed} moments in ${next} rounds`);
});
