import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type AppFiles, type Box, startBox } from '../support/box.ts';
import { processTree } from '../support/processes.ts';
import { containers, docker, environment, identity, imageId } from '../support/programs/docker.ts';
import { moveTag, newTag, registry } from '../support/programs/registry.ts';
import { generator, seed } from '../support/random.ts';
import type { Answer } from '../support/server-process.ts';
import { until } from '../support/until.ts';

const rounds = Number(process.env.BOXGATE_KILL_ROUNDS ?? 24);
const name = 'real-killed';
const killed = newTag('killed');
const tag = `${registry}/web:${killed}`;

const app: AppFiles = {
  compose: `services: { web: { image: "${tag}", env_file: .env, volumes: ["./data:/data"] } }`,
  manifest: { settings: [{ name: 'A', label: 'A', type: 'text' }] },
  files: { '.env.example': '# By hand\nA=example\nKEEP=this is mine\n', 'conf/deep/file.txt': 'x'.repeat(100_000) },
};
const neighbour: AppFiles = { compose: `services: { web: { image: "${registry}/web:3" } }` };

type Operation = {
  /** Creates the initial state of the operation. */
  prepare: (box: Box, value: string) => Promise<void>;
  act: (box: Box, value: string) => Promise<Answer>;
  /**
   * Whether the repeated operation has had its full effect. If only the server was killed, its commands have to end
   * first.
   */
  done: (value: string) => boolean;
  repeated: number[];
};

async function present(box: Box): Promise<void> {
  const answer = await box.install(name);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

async function absent(box: Box): Promise<void> {
  assert.ok([200, 404].includes((await box.remove(name)).status));
}

const running = () => containers(name).find((each) => each.service === 'web' && each.status === 'running');

const runsWith = (value: string) => {
  const web = running();
  return web !== undefined && valueIn(web.id) === value && containers(name).length === 1;
};

/** Undefined if the container ended or was removed since it was listed. */
function valueIn(id: string): string | undefined {
  try {
    return environment(id).get('A');
  } catch (error) {
    if (/no such container|is not running/i.test(String(error))) return undefined;
    throw error;
  }
}

const operations: Record<string, Operation> = {
  install: {
    prepare: absent,
    act: (box, value) => box.install(name, { A: value }),
    done: runsWith,
    repeated: [200],
  },
  reinstall: {
    prepare: present,
    act: (box, value) => box.install(name, { A: value }),
    done: runsWith,
    repeated: [200],
  },
  settings: {
    prepare: present,
    act: (box, value) => box.change(name, { A: value }),
    done: runsWith,
    repeated: [200],
  },
  update: {
    prepare: async (box, value) => {
      await present(box);
      await moveTag(killed, value);
    },
    act: (box) => box.update(name),
    done: () => running()?.image === imageId(tag) && containers(name).length === 1,
    repeated: [200],
  },
  remove: {
    prepare: present,
    act: (box) => box.remove(name),
    done: () => containers(name).length === 0,
    // 404 if the interrupted removal had finished.
    repeated: [200, 404],
  },
};

/** Asserts what must hold right after a start, whatever was interrupted before. */
function invariants(box: Box, envs: string[]): void {
  const strangers = readdirSync(box.installed).filter((entry) => ![name, 'real-calm', '.boxgate'].includes(entry));
  assert.deepEqual(strangers, [], 'no staged or temporary folder stays');
  if (!box.has(name)) return;
  const expected = ['conf', 'conf/deep', 'conf/deep/file.txt', '.env.example', 'compose.yaml', 'manifest.json'];
  const found = readdirSync(join(box.installed, name), { recursive: true, encoding: 'utf8' });
  for (const path of expected) assert.ok(found.includes(path), `${path} is there`);
  const more = found.filter((path) => ![...expected, '.env', '.env.bak', 'data'].includes(path));
  assert.deepEqual(more, [], 'no temporary file stays');
  assert.equal(box.read(name, 'conf/deep/file.txt').length, 100_000);
  if (box.has(name, '.env')) assert.ok(envs.includes(box.read(name, '.env')), box.read(name, '.env'));
}

async function killedAfter(box: Box, ms: number, whole: boolean): Promise<void> {
  // This pause chooses the moment of the kill; it does not synchronise.
  await pause(ms);
  const pids = whole ? processTree(box.process?.pid ?? 0).slice(1) : [];
  await box.kill();
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process group has already ended.
    }
  }
}

test(`kill -9 at ${rounds} moments loses nothing and can be repeated (seed ${seed})`, async (t) => {
  const random = generator(seed);
  await moveTag(killed, '1');
  const box = await startBox(t, { [name]: app, 'real-calm': neighbour });
  assert.equal((await box.install('real-calm')).status, 200);
  const calm = identity('real-calm');
  const kinds = Object.keys(operations);

  for (let round = 0; round < rounds; round += 1) {
    const kind = kinds[round % kinds.length] ?? 'install';
    const operation = operations[kind] as Operation;
    const value = kind === 'update' ? String(1 + (round % 2)) : `round ${round} "$x"`;
    const ms = Math.floor(random() ** 2 * 1500);
    const whole = random() < 0.5;
    const told = `round ${round}: ${kind}, ${whole ? 'all processes' : 'the server'} killed after ${ms} ms (seed ${seed})`;

    await operation.prepare(box, value);
    const before = box.has(name, '.env') ? box.read(name, '.env') : '';
    const after = (text: string) => text.replace(/^A=.*$/m, `A="round ${round} \\"\\$x\\""`);
    const example = app.files?.['.env.example'] ?? '';
    const cut = operation.act(box, value).catch(() => undefined);
    await killedAfter(box, ms, whole);
    const answered = await cut;
    try {
      await box.start();
      invariants(box, [before, example, after(before), after(example)]);
      assert.equal((await box.get('/api/apps')).status, 200);
      const answer = await operation.act(box, value);
      assert.ok(operation.repeated.includes(answer.status), JSON.stringify(answer));
      invariants(box, [before, example, after(before), after(example)]);
      await until('what it was to do is done', () => operation.done(value)).catch((error) => {
        const image = docker('images', '-q', '--no-trunc', tag);
        throw new Error(`found ${JSON.stringify({ image, containers: containers(name) })}`, { cause: error });
      });
      assert.deepEqual(identity('real-calm'), calm, 'the neighbour was not touched');
    } catch (error) {
      throw new Error(`${told}${answered ? `, answered ${answered.status}` : ''}`, { cause: error });
    }
    t.diagnostic(told);
  }
});
