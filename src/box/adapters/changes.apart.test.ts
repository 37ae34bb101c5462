import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { temporaryFolder } from '../../lib/testing/temporary-folder.ts';
import { TooManyChanges } from '../core.ts';
import { makeChanges } from './changes.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

test('choice/box/161: a hundred changes may wait, and one more is not taken', async () => {
  const changes = makeChanges(folder);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const taken = Array.from({ length: 100 }, (_, n) =>
    changes.run(async () => {
      await gate;
      return n;
    }),
  );
  await assert.rejects(
    changes.run(async () => 'one more'),
    TooManyChanges,
  );
  open();
  assert.deepEqual(await Promise.all(taken), [...taken.keys()]);
  assert.equal(await changes.run(async () => 'later'), 'later');
});

test('two boxes on one state directory change apps one after the other', async () => {
  const seen: string[] = [];
  const change = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(`${name} ends`);
  };
  const boxes = [makeChanges(folder), makeChanges(folder)];
  await Promise.all(boxes.flatMap((box, n) => [box.run(change(`${n}a`)), box.run(change(`${n}b`))]));
  for (let n = 0; n < seen.length; n += 2) assert.equal(seen[n + 1], seen[n]?.replace('begins', 'ends'), seen.join());
  assert.equal(seen.length, 8);
});

test('another process shows what the change in turn does, until it ends or is killed', async (t) => {
  const operation = { kind: 'restart', since: '2026-01-02T03:04:05Z', step: 'stopping' } as const;
  const program = `
    const { makeChanges } = await import(${JSON.stringify(new URL('changes.ts', import.meta.url).href)});
    const changes = makeChanges(${JSON.stringify(folder)});
    const operation = ${JSON.stringify(operation)};
    const next = () => new Promise((done) => process.stdin.once('data', done));
    const say = (text) => process.stdout.write(text);
    for (let n = 0; n < 2; n += 1) {
      await changes.run(async () => {
        changes.told.tell({ app: 'notes', ...operation });
        changes.told.tell({ app: 'a', ...operation });
        say('told');
        await next();
        changes.told.tell(null);
        say('ended');
        await next();
      });
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const { told } = makeChanges(folder);
  assert.equal(told.others().size, 0);
  const said = async (text: string) => assert.equal(String(await once(child.stdout, 'data')), text);
  await said('told');
  assert.deepEqual([...told.others()], [['a', operation]]);
  assert.equal(told.others(), told.others());
  child.stdin.write('.');
  await said('ended');
  assert.equal(told.others().size, 0);
  child.stdin.write('.');
  await said('told');
  assert.equal(told.others().size, 1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal(told.others().size, 0);
  const ofAnother = JSON.stringify({ app: 'a', ...operation, pid: process.ppid, startedAt: '1' });
  for (const text of ['{', 'null', ' ', ofAnother]) {
    writeFileSync(join(folder, 'change.lock'), text);
    assert.equal(told.others().size, 0, text);
  }
});
