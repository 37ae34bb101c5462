import assert from 'node:assert/strict';
import { existsSync, readlinkSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { sample } from '../support/random.ts';
import {
  apply,
  ask,
  countFailure,
  feed,
  first,
  isAnswering,
  reset,
  runs,
  second,
  software,
  startBox,
  unit,
  updatesWell,
} from './box.ts';
import { machine } from './machine.ts';
import { holdAt, holds, slowStops } from './stages.ts';
import { job, readState, theEnd, Watch } from './state.ts';

/** Cuts the machine's power at every stage: all processes end at once, and the machine starts again. */
before(async () => {
  await startBox();
  await slowStops();
});
after(async () => {
  await reset();
  await feed.close();
});

for (const hold of sample(holds, 3)) {
  test(`a power cut at ${hold.stage}`, async () => {
    countFailure();
    const before = (await ask('/api/self/update/status')).body.attempt;
    const watch = new Watch();
    try {
      await hold.begin();
      await apply();
      await holdAt(hold, watch);
    } finally {
      watch.stop();
      await machine.cutPower();
      await machine.start();
      hold.letGo();
    }
    // On an owner's machine, multi-user.target starts the service.
    await machine.mustRun(['systemctl', 'start', unit]);
    const end = await theEnd(before);
    assert.deepEqual([end.stage, end.reason], ['rolled_back', 'interrupted'], JSON.stringify(end));
    await isAnswering(first);
    assert.equal(readlinkSync(machine.path(`${software}/current`)), first);
    // The next update removes the other remains.
    assert.ok(!existsSync(machine.path(`${software}/.rollback`)));
    assert.equal(await machine.property('ActiveState', job), 'inactive');
    assert.deepEqual((await ask('/api/self/update/status')).body, end);
    assert.deepEqual(readState(), end);
  });
}

test('after all that a good update works', async () => {
  await updatesWell();
  await runs(second, [first, second]);
});
