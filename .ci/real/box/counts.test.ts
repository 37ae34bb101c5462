import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type AppFiles, type Box, startBox } from '../support/box.ts';
import { identity } from '../support/docker.ts';
import { registry } from '../support/registry.ts';
import { until } from '../support/until.ts';

const web: AppFiles = {
  compose: `
services:
  one: { image: "${registry}/web:1", env_file: .env }
  two: { image: "${registry}/web:2" }
`,
};
const names = Array.from({ length: 5 }, (_, n) => `real-count-${n}`);

/** The call by which the box follows the engine. It belongs to no change. */
const watches = /^events /;
const isLook = (call: string) => /^(ps|inspect) /.test(call);
/** Late events of an earlier start can cause a look of their own, also of the server before; `more`: those of the change. */
function assertLooks(calls: string[], least: number, more = 0): void {
  assert.ok(calls.every(isLook), calls.join('\n'));
  const looks = calls.filter((call) => call.startsWith('ps ')).length;
  assert.ok(looks >= least && looks <= least + 1 + more, calls.join('\n'));
}
const isConfig = (call: string) => call.endsWith(' config --format json');

/** A box whose `docker` calls are recorded. All apps are reconciled, and the record is empty. */
async function countedBox(t: TestContext): Promise<{ box: Box; calls: () => string[] }> {
  const box = await startBox(t, Object.fromEntries(names.map((name) => [name, web])));
  await box.stop();
  // Pulls the images first, because the reconcile at a start pulls none.
  for (const tag of [1, 2]) execFileSync('docker', ['pull', '-q', `${registry}/web:${tag}`]);
  const bin = join(box.folder, 'bin');
  const log = join(box.folder, 'calls');
  mkdirSync(bin);
  const real = execFileSync('sh', ['-c', 'command -v docker'], { encoding: 'utf8' }).trim();
  // NUL ends a call, because an argument may contain a newline.
  writeFileSync(join(bin, 'docker'), `#!/bin/sh\nprintf '%s\\0' "$*" >>'${log}'\nexec '${real}' "$@"\n`);
  chmodSync(join(bin, 'docker'), 0o755);
  box.env = { PATH: `${bin}:${process.env.PATH}` };
  for (const name of names) {
    cpSync(join(box.bundled, name), join(box.installed, name), { recursive: true });
    writeFileSync(join(box.installed, name, '.env'), 'A=1\n');
  }
  await startInLine(box);
  writeFileSync(log, '');
  return {
    box,
    calls: () =>
      readFileSync(log, 'utf8')
        .split('\0')
        .filter((call) => call !== '' && !watches.test(call)),
  };
}

/** Starts the box and waits for the reconcile at its start. */
async function startInLine(box: Box): Promise<void> {
  const told = box.stderr.length;
  await box.start();
  await until('the reconcile of the start', () => /^reconcile: ok/m.test(box.stderr.slice(told)));
}

/** Tells the changes of apps, also those that change nothing. */
const history = 'changes.jsonl';

const isCompose = (call: string) => /^(--\S+ )*compose /.test(call);

/** Every file below the folders, with the properties that a write would change. */
function snapshot(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path !== history)
      .map((path) => join(folder, path))
      .filter((path) => statSync(path).isFile())
      .map((path) => `${path} ${statSync(path).ino} ${statSync(path, { bigint: true }).mtimeNs}`),
  );
}

test('saving settings that change nothing: one look, no Compose call, no file written, nothing recreated', async (t) => {
  const { box, calls } = await countedBox(t);
  const before = { files: snapshot(box.installed, box.state), running: names.flatMap(identity) };
  assert.equal((await box.change('real-count-2', { A: '1' })).status, 200);
  assertLooks(calls(), 1);
  assert.deepEqual({ files: snapshot(box.installed, box.state), running: names.flatMap(identity) }, before);
});

test('a reconcile with one app changed: one look and one up -d, then a look at its containers', async (t) => {
  const { box, calls } = await countedBox(t);
  const begin = Date.now();
  assert.equal((await box.change('real-count-2', { A: '2' })).status, 200);
  // The events of a change that goes on cause a look after 1.5 s each time.
  const ofEvents = Math.ceil((Date.now() - begin) / 1500);
  const [up = '', ...more] = calls().filter((call) => !isLook(call) && !isConfig(call));
  assert.ok(isCompose(up) && / up (.* )?(-d|--detach)( |$)/.test(up), up);
  assert.deepEqual(more, []);
  assertLooks(calls().filter(isLook), 2, ofEvents);
});

test('include, extends and profiles: Compose is asked before and after the files change, then one look', async (t) => {
  const { box, calls } = await countedBox(t);
  const image = `${registry}/web:1`;
  box.bundle('real-count-resolved', {
    compose: `
include: [job.yaml]
services:
  web: { extends: { file: base.yaml, service: base } }
  debug: { image: "${image}", profiles: [debug] }
`,
    files: {
      'job.yaml': `services: { job: { image: "${image}", command: ["true"] } }\n`,
      'base.yaml': `services: { base: { image: "${image}", restart: always } }\n`,
    },
  });
  const answer = await box.install('real-count-resolved');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.ok([1, 2].includes(calls().filter(isConfig).length), calls().join('\n'));
  const before = calls().length;
  assert.equal((await box.change('real-count-0', { A: '1' })).status, 200);
  const others = calls().slice(before);
  assert.ok(
    others.every((call) => isLook(call) || isConfig(call)),
    others.join('\n'),
  );
  assertLooks(others.filter(isLook), 1);
});

test('after a restart of the server unchanged apps still cost one look', async (t) => {
  const { box, calls } = await countedBox(t);
  await box.stop();
  await startInLine(box);
  const atStart = calls().length;
  // One look by which the engine is found, and one of the reconcile.
  assertLooks(calls(), 2);
  assert.equal((await box.change('real-count-0', { A: '1' })).status, 200);
  assertLooks(calls().slice(atStart), 1);
});

test('an app update with nothing newer: at most four docker processes', async (t) => {
  const { box, calls } = await countedBox(t);
  const answer = await box.update('real-count-1');
  assert.equal(answer.body.updated, false, JSON.stringify(answer.body));
  assertLooks(calls().filter(isLook), 1);
  assert.ok(calls().filter((call) => !isLook(call)).length <= 2, calls().join('\n'));
});
