import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { correctInterruptedUpdate } from './status.ts';
import { makeMemoryEnvironment } from './testing/memory-environment.ts';

/** choice/box/135 */
describe('a start of the server', () => {
  test('corrects a state that looks unfinished', async () => {
    const before = { stage: 'downloading', from: '1.0.0', to: '1.1.0' };
    const { ports, files } = makeMemoryEnvironment({ before });
    await correctInterruptedUpdate(ports);
    const state = await ports.updateFiles.readState();
    assert.deepEqual([state.stage, state.reason], ['rolled_back', 'interrupted']);
    assert.ok(!files.isHeld());
  });

  test('leaves the state of an update that runs alone', async () => {
    const { ports, files } = makeMemoryEnvironment({ before: { stage: 'downloading' } });
    await files.lock();
    await correctInterruptedUpdate(ports);
    assert.deepEqual(files.written, []);
  });

  for (const before of [null, { stage: 'done' }, { stage: 'rolled_back', reason: 'x' }] as const) {
    test(`writes nothing when there is nothing to correct: ${JSON.stringify(before)}`, async () => {
      const { ports, files } = makeMemoryEnvironment({ before });
      await correctInterruptedUpdate(ports);
      assert.deepEqual(files.written, []);
      assert.deepEqual(await ports.updateFiles.readState(), before ?? {});
    });
  }

  test('choice/box/135: does not call an update done whose switch is not committed', async () => {
    const before = { stage: 'health_check', from: '1.0.0', to: '2.0.0' };
    const { ports, files, software } = makeMemoryEnvironment({ before });
    await software.switchTo('2.0.0');
    await correctInterruptedUpdate({ ...ports, version: '2.0.0' }, software.previous);
    assert.deepEqual(files.written, []);
    assert.ok(!files.isHeld());

    await correctInterruptedUpdate({ ...ports, version: '1.0.0' }, software.previous);
    assert.equal((await ports.updateFiles.readState()).reason, 'interrupted');
  });

  test('calls an update done that was committed', async () => {
    const before = { stage: 'health_check', from: '1.0.0', to: '2.0.0' };
    const { ports, software } = makeMemoryEnvironment({ before });
    await software.switchTo('2.0.0');
    await software.commit();
    await correctInterruptedUpdate({ ...ports, version: '2.0.0' }, software.previous);
    assert.equal((await ports.updateFiles.readState()).stage, 'done');
  });
});
